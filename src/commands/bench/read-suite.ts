import { EVALUATORS } from "../../bench/evaluators/roster.ts";
import { selectTrials, unknownWords } from "../../bench/planning/plan-trials.ts";
import type { Suite } from "../../bench/suite.ts";
import { loadSuite } from "../../bench/suite-file/load-suite.ts";
import { fault } from "../../command/fault.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { findSuite } from "./find-suite.ts";

/** Each is a row of its own from the start. */
const MOST_TRIALS = 1_000_000;

/** The suite with what the command line says about it. */
export async function readSuite(
  word: string,
  args: BenchArguments,
  place: BenchPlace,
): Promise<Suite> {
  const extra = args.words.find((one) => one !== word);
  if (extra !== undefined)
    throw fault("ArgumentsInvalid", {
      command: "bench",
      problem: `\`${extra}\` is one too many: one suite at a time`,
    });
  const file = await findSuite(word, place);
  const suite = loadSuite(file, { env: place.context.env.forChild(), evaluators: EVALUATORS });
  const [unknown] = unknownWords(suite, args);
  if (unknown !== undefined) throw unknownWord(unknown, suite);
  const limits = { ...suite.limits, concurrency: args.concurrency ?? suite.limits.concurrency };
  const repeat = args.repeat ?? suite.repeat;
  const { agents, cases } = selectTrials(suite, args);
  const trials = agents.length * cases.length * repeat;
  if (trials > MOST_TRIALS)
    throw fault(
      "FileInvalid",
      { problem: `it comes to ${trials} trials, at most ${MOST_TRIALS} are allowed` },
      { where: { file } },
    );
  return { ...suite, agents, cases, repeat, limits };
}

function unknownWord(word: string, { agents, cases }: Suite): Error {
  const names = [...agents, ...cases].map(({ id }) => id);
  const known = [...new Set([...names, ...cases.flatMap(({ tags }) => tags)])];
  const [nearest] = nearestNames(word, known);
  const question = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  return fault(
    "ArgumentsInvalid",
    { command: "bench", problem: `\`--only ${word}\` names no case, tag or agent${question}` },
    nearest === undefined ? { hint: `there are ${known.join(", ")}` } : {},
  );
}
