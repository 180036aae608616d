// `adj bench`: one command; its first word is a suite to run, or says what else to do.
import type { CommandResult } from "../../core/command/result.ts";
import { type BundledContext, defineBundled } from "../../core/commands/bundled.ts";
import { WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { BENCH_ACTIONS, BENCH_ARGUMENTS, type BenchArguments } from "./arguments.ts";

export default defineBundled({
  name: "bench",
  description: "Run a suite: which agent, model or prompt does the job best",
  category: "bench",
  argumentHint:
    "<suite.yaml | validate|plan|report|show|compare|history|cancel|remove|worker|import …>",
  examples: [
    "adj bench suite.yaml",
    "adj bench suite.yaml --repeat 10 --only small --fail-if 'pass_rate < 0.8'",
    "adj bench validate suite.yaml --oracle",
    "adj bench report --html report.html",
    "adj bench show off-by-one/opus/1",
    "adj bench compare A B",
  ],
  // A trial's agent has 5 s between SIGTERM and SIGKILL, and its workspace is removed after that.
  graceMs: 20_000,
  inheritEnv: true,
  env: [WIDTH_VARIABLE],
  args: BENCH_ARGUMENTS,
  run: (args, context, program) => startSubcommand(args, { context, program }),
});

/** A suite to run, or a word that says what else to do; each is loaded when it is asked for. */
async function startSubcommand(
  args: BenchArguments,
  bench: BundledContext,
): Promise<CommandResult> {
  const action = BENCH_ACTIONS.find((name) => name === args.subject);
  switch (action) {
    case undefined:
      return (await import("./run.ts")).runSuite(args, bench);
    case "validate":
      return (await import("./validate.ts")).validateSuite(args, bench);
    case "plan":
      return (await import("./plan.ts")).planSuite(args, bench);
    case "report":
      return (await import("./report.ts")).showReport(args, bench);
    case "show":
      return (await import("./show.ts")).showTrial(args, bench);
    case "compare":
      return (await import("./history.ts")).compareRuns(args, bench);
    case "history":
      return (await import("./history.ts")).showHistory(args, bench);
    case "cancel":
      return (await import("./remove.ts")).cancelRun(args, bench);
    case "remove":
      return (await import("./remove.ts")).removeRuns(args, bench);
    case "worker":
      return (await import("./worker.ts")).workForServer(args, bench);
    case "import":
      return (await import("./import.ts")).importSuite(args, bench);
  }
}
