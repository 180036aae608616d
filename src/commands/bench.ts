import { BENCH_ARGUMENTS } from "./bench/bench-arguments.ts";
import { defineBundled } from "./program.ts";
import { WIDTH_VARIABLE } from "./screen-width.ts";

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
  run: async (args, context, program) => {
    const { startBench } = await import("./bench/start-bench.ts");
    return startBench(args, { context, program });
  },
});
