// Everything that is checked besides behaviour: types, lint, boundaries, dead code, what users would install.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkHouse } from "./check-house.mjs";
import { enterWorkspace, localBin, ROOT, runStep } from "./workspace.mjs";

enterWorkspace();
runStep("types", localBin("tsc"), ["-p", "."]);
runStep("lint and format", localBin("biome"), ["ci", "."], {
  hint: "`node_modules/.bin/biome check --write .` mends what it can",
});
console.error("· boundaries");
checkHouse();
runStep("dead code", localBin("knip"), []);
// What is packed is the built program, and a clean clone has none yet.
if (!existsSync(join(ROOT, "dist", "library.js")))
  runStep("build", process.execPath, ["scripts/build.mjs"]);
runStep("package", process.execPath, ["scripts/check-package.mjs"]);
