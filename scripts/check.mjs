// Everything that is checked besides behaviour: types, lint, boundaries, dead code, what users would install.
import { checkHouse } from "./check-house.mjs";
import { enterWorkspace, localBin, runStep } from "./workspace.mjs";

enterWorkspace();
runStep("types", localBin("tsc"), ["-p", "."]);
runStep("lint and format", localBin("biome"), ["ci", "."], {
  hint: "`node_modules/.bin/biome check --write .` mends what it can",
});
console.error("· boundaries");
checkHouse();
runStep("dead code", localBin("knip"), []);
runStep("package", process.execPath, ["scripts/check-package.mjs"]);
