// `adj bench`: a suite to run, or a word that says what else to do.
import type { CommandResult } from "../../command/result.ts";
import { ACTIONS, type BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";

export async function startBench(args: BenchArguments, place: BenchPlace): Promise<CommandResult> {
  const action = ACTIONS.find((name) => name === args.subject);
  switch (action) {
    case undefined:
      return (await import("./run-suite.ts")).runSuite(args, place);
    case "validate":
      return (await import("./validate-suite.ts")).validateSuite(args, place);
    case "plan":
      return (await import("./plan-suite.ts")).planSuite(args, place);
    case "report":
      return (await import("./show-report.ts")).showReport(args, place);
    case "show":
      return (await import("./show-trial.ts")).showTrial(args, place);
    case "compare":
      return (await import("./compare-runs.ts")).compareRuns(args, place);
    case "history":
      return (await import("./show-history.ts")).showHistory(args, place);
    case "cancel":
      return (await import("./cancel-run.ts")).cancelRun(args, place);
    case "remove":
      return (await import("./remove-runs.ts")).removeRuns(args, place);
    case "worker":
      return (await import("./work.ts")).workForServer(args, place);
    case "import":
      return (await import("./import-suite.ts")).importSuite(args, place);
  }
}
