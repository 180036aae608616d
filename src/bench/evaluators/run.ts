// A program of the suite's own decides, in a fresh copy that the agent never saw running.
import { join, normalize, resolve } from "node:path";
import * as z from "zod/mini";
import { parseDuration } from "../../command/duration.ts";
import { timeout as duration } from "../../load/field-schemas.ts";
import { runProcess } from "../../process/run-process.ts";
import type { Evaluator, Grade, Grading } from "../evaluator.ts";
import { fall, gradeScore, pass } from "./grade.ts";
import { readOptionsBy } from "./read-options.ts";
import { readScore, SCORE_FORMATS } from "./read-score.ts";
import { clearWay, layOver, putBack, readReport } from "./run-folder.ts";

const text = z.string().check(z.minLength(1));
/** What is there before the program runs is removed: nothing but a file in the workspace may be named. */
const isInside = (path: string): boolean => !/^(?:\.\.?\/?$|\.\.\/|\/)/.test(normalize(path));
const RUN = z.union(
  [
    text,
    z.strictObject({
      command: text,
      timeout: z.optional(duration),
      /** Globs of files that are put back as they were before the program runs. */
      protect: z.optional(z.array(text)),
      /** A folder of the suite whose files are laid over the workspace: tests the agent never saw. */
      files: z.optional(text),
      score: z.optional(z.enum(SCORE_FORMATS)),
      /** The file the program writes its score to; its standard output by default. */
      report: z.optional(text.check(z.refine(isInside, "must be a file in the workspace"))),
      /** From here on it passes where there is a score. */
      pass: z.optional(z.number().check(z.gte(0), z.lte(1))),
    }),
  ],
  { error: "must be a command, or a map with `command`" },
);
type Options = z.infer<typeof RUN>;
type Program = Exclude<Options, string>;

const DEFAULT_TIMEOUT_MS = 300_000;

export const run: Evaluator<Options> = {
  type: "run",
  description: "a command that exits with 0, or says a score",
  readOptions: readOptionsBy(RUN),
  files: (options) =>
    typeof options !== "string" && options.files !== undefined ? [options.files] : [],
  grade: (options, grading) =>
    gradeProgram(typeof options === "string" ? { command: options } : options, grading),
};

const KEPT_BYTES = 10 * 1024 * 1024;

async function gradeProgram(program: Program, grading: Grading): Promise<Grade> {
  const folder = await prepareFolder(program, grading);
  const ending = await runProcess(
    { executable: "sh", args: ["-c", program.command], env: grading.env, cwd: folder },
    {
      signal: grading.signal,
      timeoutMs: parseDuration(program.timeout ?? "") ?? DEFAULT_TIMEOUT_MS,
      keepBytes: KEPT_BYTES,
      keepOver: "each",
    },
  );
  const stdout = Buffer.from(ending.stdout).toString();
  const stderr = Buffer.from(ending.stderr).toString();
  await grading.keep("output.txt", shorten(`${stdout}${stderr}`));
  grading.signal.throwIfAborted();
  if (ending.kind === "not_started") throw new Error(`\`sh\` ${ending.problem}`);
  if (ending.kind === "timed_out") return fall("it did not finish in time");
  if (ending.kind !== "exited") return fall(`it was ended by ${ending.signal}`);
  const { exitCode } = ending;
  if (program.score !== undefined) {
    const said =
      program.report === undefined ? stdout : await readReport(join(folder, program.report));
    return gradeSaid(program, { said, exitCode });
  }
  if (exitCode === 0) return pass("exit 0");
  const why = findComplaint(stderr);
  return fall(`exit ${exitCode}${why === "" ? "" : `: ${why}`}`, { exit_code: exitCode });
}

/** The last line that speaks of an error: Node's own last words are its version. Else the last one. */
function findComplaint(stderr: string): string {
  const lines = stderr.trimEnd().split("\n");
  return (
    lines.findLast((line) => /^\S.*(?:error|fail)|^(?:error|fail)/i.test(line)) ??
    lines.at(-1) ??
    ""
  );
}

async function prepareFolder(program: Program, grading: Grading): Promise<string> {
  const { protect = [], files, report } = program;
  const folder = await grading.copySnapshot();
  if (protect.length > 0) await putBack(protect, { folder, base: grading.snapshot.baseFolder });
  if (files !== undefined) await layOver(resolve(grading.suiteFolder, files), folder);
  // The agent may have left one that says what it likes.
  if (report !== undefined) await clearWay(folder, normalize(report));
  return folder;
}

interface Said {
  readonly said: string | null;
  readonly exitCode: number;
}

function gradeSaid(
  { score: format = "json", pass: bar = 1 }: Program,
  { said, exitCode }: Said,
): Grade {
  const reading = readScore(format, said ?? "");
  if (reading === null) return fall(`it said no score as ${format}`, { exit_code: exitCode });
  const { score, message } = reading;
  const grade = gradeScore(score, bar, message);
  // Tests that fail make a program fail; one that fails without them has more to say than its score.
  const isExplained = exitCode === 0 || (format !== "json" && score < 1);
  return isExplained || grade.status === "failed"
    ? grade
    : { ...grade, status: "failed", message: `exit ${exitCode}, though ${message}` };
}

const SHOWN = 500_000;

/** The beginning and the end of what is too long to be kept with every trial. */
const shorten = (output: string): string =>
  output.length <= 2 * SHOWN
    ? output
    : `${output.slice(0, SHOWN)}\n[${output.length - 2 * SHOWN} characters left out]\n${output.slice(-SHOWN)}`;
