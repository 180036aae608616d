// `npm run bench [-- NAME …]`: measurements, each a ratio against a floor taken in the same run.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { buildBundles } from "./build.mjs";
import { enterWorkspace, ROOT, runStep } from "./workspace.mjs";

enterWorkspace();
const known = readdirSync(join(ROOT, "bench"))
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.slice(0, -".bench.ts".length));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`unknown bench ${unknown.join(", ")}; there are: ${known.join(", ")}`);
  process.exit(2);
}
await buildBundles();
for (const name of asked.length > 0 ? asked : known)
  runStep(name, process.execPath, ["--expose-gc", join("bench", `${name}.bench.ts`)]);
