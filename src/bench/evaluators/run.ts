// A program of the suite's own decides, in a fresh copy that the agent never saw running.
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join, matchesGlob, resolve } from "node:path";
import * as z from "zod/mini";
import { parseDuration } from "../../command/duration.ts";
import { timeout as duration } from "../../load/field-schemas.ts";
import { runProcess } from "../../process/run-process.ts";
import type { Evaluator, Grade, Grading } from "../evaluator.ts";
import { fall, pass } from "./grade.ts";
import { readOptionsBy } from "./read-options.ts";
import { readScore, SCORE_FORMATS } from "./read-score.ts";
import { listFiles } from "./tree-changes.ts";

const text = z.string().check(z.minLength(1));
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
      report: z.optional(text),
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

async function gradeProgram(program: Program, grading: Grading): Promise<Grade> {
  const folder = await grading.copySnapshot();
  await prepareFolder(folder, program, grading);
  const ending = await runProcess(
    { executable: "sh", args: ["-c", program.command], env: grading.env, cwd: folder },
    {
      signal: grading.signal,
      timeoutMs: parseDuration(program.timeout ?? "") ?? DEFAULT_TIMEOUT_MS,
    },
  );
  const stdout = Buffer.from(ending.stdout).toString();
  await grading.keep("output.txt", `${stdout}${Buffer.from(ending.stderr).toString()}`);
  grading.signal.throwIfAborted();
  if (ending.kind === "not_started") throw new Error(`\`sh\` ${ending.problem}`);
  if (ending.kind === "timed_out") return fall("it did not finish in time");
  if (ending.kind !== "exited") return fall(`it was ended by ${ending.signal}`);
  const { exitCode } = ending;
  if (program.score !== undefined)
    return scoreProgram(program, { folder, stdout, isClean: exitCode === 0 });
  return exitCode === 0 ? pass("exit 0") : fall(`exit ${exitCode}`, { exit_code: exitCode });
}

async function prepareFolder(folder: string, program: Program, grading: Grading): Promise<void> {
  const { protect = [], files, report } = program;
  const { baseFolder } = grading.snapshot;
  const isProtected = (path: string) => protect.some((glob) => matchesGlob(path, glob));
  for (const path of (await listFiles(folder)).filter(isProtected))
    await rm(join(folder, path), { force: true });
  for (const path of (await listFiles(baseFolder)).filter(isProtected)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(baseFolder, path), join(folder, path));
  }
  if (files !== undefined)
    await cp(resolve(grading.suiteFolder, files), folder, { recursive: true, force: true });
  // The agent may have left one that says what it likes.
  if (report !== undefined) await rm(join(folder, report), { recursive: true, force: true });
}

async function scoreProgram(
  { score: format = "json", report, pass: bar = 1 }: Program,
  { folder, stdout, isClean }: { folder: string; stdout: string; isClean: boolean },
): Promise<Grade> {
  const said =
    report === undefined ? stdout : await readFile(join(folder, report), "utf8").catch(() => "");
  const reading = readScore(format, said);
  if (reading === null) return fall(`it said no score as ${format}`);
  const { score, message } = reading;
  const isPassed = score >= bar && (isClean || format !== "json");
  return { status: isPassed ? "passed" : "failed", score, message, metrics: { score } };
}
