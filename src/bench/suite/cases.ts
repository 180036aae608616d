// A case of a suite: its workspace, its task, its steps.
import { accessSync, constants, readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Where } from "../../core/command/fault.ts";
import { parseDuration } from "../../core/command/time.ts";
import { describeFileError } from "../../core/project/files.ts";
import { fileFault } from "../../core/project/schema-problem.ts";
import { checkBy, checkFilled, type LocatedEntry, ProblemList, readUtf8 } from "./entries.ts";
import { type EvaluatorTable, readEvaluators } from "./evaluators.ts";
import { CASE, type CaseEntry } from "./schema.ts";
import type { CaseTask, SetupStep, SuiteCase, WorkspaceSource } from "./suite.ts";

export interface ReadCaseOptions {
  readonly evaluators: EvaluatorTable;
  readonly suiteFolder: string;
}

const STEP_LIMIT_MS = 300_000;

export function readCase(placed: LocatedEntry, reading: ReadCaseOptions): SuiteCase {
  const { at } = placed;
  const given = checkBy(CASE, placed.entry, at);
  const folder = dirname(at([]).file);
  const problems = new ProblemList();
  const workspace = problems.attempt(() => readWorkspace(given, placed, folder));
  const task = problems.attempt(() => readTask(given, placed, folder));
  const evaluators = problems.attempt(() =>
    readEvaluators(given.evaluators ?? [], { ...reading, folder, at }),
  );
  const solution = problems.attempt(() => readSolution(given, placed, folder));
  problems.throwFirst();
  if (workspace === null || task === null || evaluators === null)
    throw new TypeError("what is missing was told");
  return {
    id: placed.label === "" ? given.id : `${given.id}[${placed.label}]`,
    tags: given.tags ?? [],
    workspace,
    task,
    setup: (given.setup ?? []).map(readStep),
    teardown: (given.teardown ?? []).map(readStep),
    env: given.env ?? [],
    evaluators,
    solution,
    timeoutMs: given.timeout === undefined ? null : parseDuration(given.timeout),
    labels: given.labels ?? [],
    unsupported: given.unsupported ?? null,
  };
}

function readWorkspace(
  { workspace }: CaseEntry,
  { at }: LocatedEntry,
  folder: string,
): WorkspaceSource {
  if (workspace === undefined) return { kind: "empty" };
  checkFilled(workspace, (key) => at(["workspace", key]));
  const { template, git, branch = null, commit = null, history } = workspace;
  if ((template === undefined) === (git === undefined))
    throw fileFault(
      "`workspace` needs exactly one of `template` and `git`",
      at(["workspace"], "key"),
    );
  if (template !== undefined) {
    const extra = (["branch", "commit", "history"] as const).find(
      (key) => workspace[key] !== undefined,
    );
    if (extra !== undefined)
      throw fileFault(`\`${extra}\` goes with \`git\``, at(["workspace", extra], "key"));
    const named = resolve(folder, template);
    demand("template", at(["workspace", "template"]), () => readdirSync(named));
    return { kind: "template", folder: named };
  }
  const source = git ?? "";
  return {
    kind: "git",
    source: isAddress(source) ? source : resolve(folder, source),
    branch,
    commit,
    history: history !== "none",
  };
}

/** As git tells them apart: `https://host/x`, `host:x`; a colon after a slash belongs to a path. */
const isAddress = (source: string): boolean => /^[^/]+:/.test(source);

function readSolution(
  { solution }: CaseEntry,
  { at }: LocatedEntry,
  folder: string,
): SuiteCase["solution"] {
  if (solution === undefined) return null;
  const named = resolve(folder, solution);
  demand("solution", at(["solution"]), () => accessSync(named, constants.R_OK));
  return named;
}

/** What a file operation gives, or its failure at the place where the file is named. */
function demand<Result>(key: string, where: Where, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw fileFault(`\`${key}\` cannot be read: ${describeFileError(error)}`, where);
  }
}

function readTask(given: CaseEntry, { at }: LocatedEntry, folder: string): CaseTask {
  const named = (["command", "prompt", "prompt_file"] as const).filter(
    (key) => given[key] !== undefined,
  );
  const [first, second] = named;
  if (first === undefined)
    throw fileFault(
      `case \`${given.id}\` asks for nothing: give \`command\`, \`prompt\` or \`prompt_file\``,
      at([]),
    );
  if (second !== undefined)
    throw fileFault(`give \`${first}\` or \`${second}\`, not both`, at([second], "key"));
  const { command } = given;
  if (command !== undefined)
    return typeof command === "string"
      ? { kind: "command", name: command, args: [] }
      : { kind: "command", name: command.name, args: command.args ?? [] };
  if (given.prompt !== undefined) return { kind: "prompt", text: given.prompt };
  const file = resolve(folder, given.prompt_file ?? "");
  const text = demand("prompt_file", at(["prompt_file"]), () => readUtf8(file));
  if (text.trim() === "") throw fileFault("`prompt_file` is empty", at(["prompt_file"]));
  return { kind: "prompt", text };
}

const readStep = (step: string | { run: string; timeout?: string | undefined }): SetupStep =>
  typeof step === "string"
    ? { run: step, timeoutMs: STEP_LIMIT_MS }
    : { run: step.run, timeoutMs: parseDuration(step.timeout ?? "") ?? STEP_LIMIT_MS };
