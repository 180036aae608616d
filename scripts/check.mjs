// Everything that is checked besides behaviour: types, lint, boundaries, dead code, what users would install.
import { execFileSync } from "node:child_process";
import { enterWorkspace, localBin, ROOT, runStep } from "./workspace.mjs";

enterWorkspace();
runStep("types", localBin("tsc"), ["-p", "."]);
runStep("lint and format", localBin("biome"), ["ci", "."]);
checkBoundaries();
runStep("dead code", localBin("knip"), []);
runStep("package", process.execPath, ["scripts/check-package.mjs"]);

/** A cruise that saw nothing also finds nothing wrong, so the count is asserted. */
function checkBoundaries() {
  console.error("· boundaries");
  const args = ["src", "--config", ".dependency-cruiser.cjs", "--output-type", "json"];
  let report;
  try {
    report = execFileSync(localBin("depcruise"), args, {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
  } catch (error) {
    report = error.stdout;
  }
  const { summary } = JSON.parse(report);
  for (const { from, to, rule } of summary.violations)
    console.error(`  ${rule.name}: ${from} → ${to}`);
  if (summary.totalCruised < 50) {
    console.error(`✗ only ${summary.totalCruised} modules were seen; the check itself is broken`);
    process.exit(1);
  }
  if (summary.error > 0) process.exit(1);
  console.error(`  ${summary.totalCruised} modules, no violation`);
}
