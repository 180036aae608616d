// `npm start`: install, build, run the tour; `npm start -- ARGS` runs `adj ARGS`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildBundles } from "./build.mjs";
import { enterWorkspace, ROOT } from "./workspace.mjs";

enterWorkspace();
await buildBundles();
const args = process.argv.slice(2);
const { status, signal } = spawnSync(join(ROOT, "bin", "adj"), args.length > 0 ? args : ["tour"], {
  stdio: "inherit",
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
process.exitCode = signal === null ? (status ?? 1) : 1;
