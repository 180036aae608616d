import { resolve } from "node:path";
import { EVALUATORS } from "../../bench/evaluators/roster.ts";
import { selectTrials, unknownWords } from "../../bench/planning/plan-trials.ts";
import type { Suite } from "../../bench/suite.ts";
import { loadSuite } from "../../bench/suite-file/load-suite.ts";
import { fault } from "../../command/fault.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";

/** The suite with what the command line says about it. */
export function readSuite(path: string, args: BenchArguments, { context }: BenchPlace): Suite {
  const file = resolve(context.workingDirectory, path);
  const suite = loadSuite(file, { env: context.env.forChild(), evaluators: EVALUATORS });
  const [unknown] = unknownWords(suite, args);
  if (unknown !== undefined)
    throw fault(
      "ArgumentsInvalid",
      { command: "bench", problem: `\`--only ${unknown}\` names no case, tag or agent` },
      { hint: `cases: ${suite.cases.map(({ id }) => id).join(", ")}` },
    );
  const limits = { ...suite.limits, concurrency: args.concurrency ?? suite.limits.concurrency };
  return { ...suite, ...selectTrials(suite, args), repeat: args.repeat ?? suite.repeat, limits };
}
