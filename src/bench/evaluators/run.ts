// A program of the suite's own decides, in a fresh copy that the agent never saw running.
import { realpathSync } from "node:fs";
import { chmod, cp, lstat, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join, normalize, resolve } from "node:path";
import * as z from "zod/mini";
import { parseDuration } from "../../core/command/time.ts";
import { duration } from "../../core/load/field-schemas.ts";
import type { ProcessEnding } from "../../core/process/command-spec.ts";
import { listTreeFiles, matchesPath, removeLinks } from "../files/compare-trees.ts";
import { removeTree } from "../files/tree.ts";
import {
  type Evaluator,
  failGrade,
  type Grade,
  type Grading,
  gradeScore,
  passGrade,
  readOptionsBy,
} from "../suite/evaluator.ts";
import {
  describeRunnerChanges,
  findChanges,
  findRunnerChanges,
  isRunnerConfig,
  shadowsOf,
  testFoldersOf,
} from "./runner-config.ts";
import { readScore, SCORE_FORMATS } from "./test-score.ts";

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
      /** Files of the agent's that steer test runners: put back by default where there are `files`. */
      runner_config: z.optional(z.enum(["restore", "keep"])),
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

export const runEvaluator: Evaluator<Options> = {
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
  const { folder, note } = await prepareFolder(program, grading);
  const spec = { executable: "sh", args: ["-c", program.command], env: grading.env, cwd: folder };
  const ending = await grading.runProgram(spec, {
    signal: grading.signal,
    timeoutMs: parseDuration(program.timeout ?? "") ?? DEFAULT_TIMEOUT_MS,
    keepBytes: KEPT_BYTES,
    keepOver: "each",
  });
  const stdout = Buffer.from(ending.stdout).toString();
  const stderr = Buffer.from(ending.stderr).toString();
  await grading.keep("output.txt", shorten(`${stdout}${stderr}`));
  grading.signal.throwIfAborted();
  if (ending.kind === "not_started") throw new Error(`\`sh\` ${ending.problem}`);
  const grade = await gradeEnding(program, { ending, folder, stdout, stderr });
  return note === null ? grade : { ...grade, message: `${grade.message} (${note})` };
}

interface EndedProgram {
  readonly ending: ProcessEnding;
  readonly folder: string;
  readonly stdout: string;
  readonly stderr: string;
}

async function gradeEnding(
  program: Program,
  { ending, folder, stdout, stderr }: EndedProgram,
): Promise<Grade> {
  if (ending.kind === "timed_out") return failGrade("it did not finish in time");
  if (ending.kind !== "exited") return failGrade(`it was ended by ${ending.signal}`);
  const { exitCode } = ending;
  if (program.score !== undefined) {
    const printed =
      program.report === undefined ? stdout : await readReport(join(folder, program.report));
    return gradeAnswer(program, { printed, exitCode });
  }
  if (exitCode === 0) return passGrade("exit 0");
  const why = findComplaint(stderr);
  return failGrade(`exit ${exitCode}${why === "" ? "" : `: ${why}`}`, { exit_code: exitCode });
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

interface PreparedFolder {
  readonly folder: string;
  /** What of the agent's may steer a test runner; null where there is nothing. */
  readonly note: string | null;
}

async function prepareFolder(program: Program, grading: Grading): Promise<PreparedFolder> {
  const { protect = [], files, report, runner_config: chosen } = program;
  const { snapshot } = grading;
  const folder = await grading.copySnapshot();
  const brought = files === undefined ? null : resolve(grading.suiteFolder, files);
  const hidden = brought === null ? [] : await listTreeFiles(brought);
  const steering = await findRunnerChanges(snapshot);
  const isRestored = (chosen ?? (brought === null ? "keep" : "restore")) === "restore";
  const isProtected = (path: string): boolean => protect.some((glob) => matchesPath(path, glob));
  const held =
    protect.length === 0 ? [] : (await listTreeFiles(snapshot.baseFolder)).filter(isProtected);
  const shadows = await findChanges(snapshot, shadowsOf([...hidden, ...held]));
  const restored = [...(isRestored ? steering.filter(isRunnerConfig) : []), ...shadows];
  const folders = testFoldersOf(hidden);
  const isPutBack = (path: string): boolean =>
    restored.includes(path) ||
    isProtected(path) ||
    folders.some((one) => path === one || path.startsWith(`${one}/`));
  if (protect.length + restored.length + folders.length > 0)
    await putBack(isPutBack, { folder, base: snapshot.baseFolder });
  if (brought !== null) {
    await layOver(brought, folder);
    const laid = new Set(hidden);
    const inCopy = new Set(hidden.map((path) => join(realpathSync(folder), path)));
    await removeLinks(
      folder,
      snapshot.baseFolder,
      (target, path) => inCopy.has(target) && !laid.has(path),
    );
  }
  // The agent may have left one that says what it likes.
  if (report !== undefined) await clearTarget(folder, normalize(report));
  const left = steering.filter((path) => !hidden.includes(path) && !isPutBack(path));
  return { folder, note: describeRunnerChanges(restored, left) };
}

interface ProgramAnswer {
  readonly printed: string | null;
  readonly exitCode: number;
}

function gradeAnswer(
  { score: format = "json", pass: bar = 1 }: Program,
  { printed, exitCode }: ProgramAnswer,
): Grade {
  const reading = readScore(format, printed ?? "");
  if (reading === null) return failGrade(`it said no score as ${format}`, { exit_code: exitCode });
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

// The folder a program grades in: a copy of what the agent left, with the suite's own files in their places.

/** Files that match are as they were before the agent, those it added are gone. */
async function putBack(
  isMeant: (path: string) => boolean,
  { folder, base }: { readonly folder: string; readonly base: string },
): Promise<void> {
  for (const path of (await listTreeFiles(folder)).filter(isMeant)) await clearTarget(folder, path);
  for (const path of (await listTreeFiles(base)).filter(isMeant))
    await copyFile(join(base, path), await clearTarget(folder, path));
}

async function layOver(files: string, folder: string): Promise<void> {
  for (const path of await listTreeFiles(files))
    await copyFile(join(files, path), await clearTarget(folder, path));
}

const copyFile = (from: string, to: string): Promise<void> =>
  cp(from, to, { verbatimSymlinks: true });

/**
 * Where a file can be written and nothing is yet. What an agent put in its way goes: a link in place of a folder
 * would lead out of the copy, a folder without rights would make the grading fail.
 */
async function clearTarget(folder: string, path: string): Promise<string> {
  const parts = dirname(path).split("/");
  for (const count of parts.keys()) await openFolder(join(folder, ...parts.slice(0, count + 1)));
  const target = join(folder, path);
  if ((await statIfThere(target)) !== null) await removeTree(target);
  return target;
}

async function openFolder(path: string): Promise<void> {
  const stats = await statIfThere(path);
  if (stats?.isDirectory()) {
    if ((stats.mode & 0o700) !== 0o700) await chmod(path, stats.mode | 0o700);
    return;
  }
  await rm(path, { force: true });
  await mkdir(path);
}

const statIfThere = (path: string) => lstat(path).catch(() => null);

const MAX_REPORT_BYTES = 10 * 1024 * 1024;

/** Null for what is no file of a bearable size: a link, a pipe or a device may never end. */
async function readReport(path: string): Promise<string | null> {
  const stats = await statIfThere(path);
  if (stats === null || !stats.isFile() || stats.size > MAX_REPORT_BYTES) return null;
  return readFile(path, "utf8");
}
