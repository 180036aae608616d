// `npm test`: install, build, run every test that needs no agent CLI. Arguments go to vitest.
import { buildBundles, buildTypes } from "./build.mjs";
import { enterWorkspace, localBin, runStep } from "./workspace.mjs";

enterWorkspace();
await buildBundles();
buildTypes();
runStep("tests", localBin("vitest"), ["run", ...process.argv.slice(2)]);
