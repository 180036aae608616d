// Has a person asked before something is deleted that cannot be had again. A root, a home and the project itself are
// always refused.

import { appendFileSync, existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileErrorCode, makeFolder, statOf } from "../../core/project/files.ts";
import { analyzeLine, analyzeStepLine } from "../../core/shell/analyze-line.ts";
import { effectsOf } from "../../core/shell/effects/effects-of.ts";
import type { LineAnalysis } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { absolutePath, type PathContext, pathsBelow } from "../match/paths.ts";
import {
  actBecause,
  actUnsure,
  type Builtin,
  findHiddenProgram,
  NO_INTERVENTION,
  vetoBecause,
} from "./builtin.ts";
import { type DeleteTarget, lineDeletes } from "./files/deletes.ts";
import { type DeleteContext, findLoss, isThere, type Loss } from "./files/judge-delete.ts";
import { LookLimit, TooMuchToLookAt } from "./files/look-limit.ts";
import { deletedInPatch, linesIn, toolTouches } from "./files/tool-files.ts";
import type { BuiltinOptions } from "./options.ts";
import { type GitQueryOptions, queryGit } from "./query-git.ts";

type DeleteOptions = BuiltinOptions<"rm">;

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const rmGuard: Builtin<DeleteOptions> = {
  name: "rm",
  description:
    "asks before something is deleted that neither git nor a build nor this session can bring back",
  steps: STEPS,
  async decide(options, subject, { rule, env, signal, sessionDir }) {
    const finding = await lookAt({ options, subject, git: { env, signal }, sessionDir });
    const why = options.reason === null ? "" : `; ${options.reason}`;
    if (finding?.kind === "root")
      return vetoBecause(
        `\`${rule}\`: it would delete \`${finding.path}\` with all that is in it${why}`,
      );
    if (finding?.kind === "lost")
      return actBecause(
        options.action,
        `\`${rule}\`: it would ${finding.isOverwritten ? "overwrite" : "delete"} \`${finding.path}\`: ${finding.why}${why}`,
      );
    if (finding?.kind === "unsure")
      return actUnsure(
        options.unsure,
        `\`${rule}\`: it cannot be said what it deletes: ${finding.what}${why}`,
        subject,
      );
    // What this step is about to make may be deleted later.
    noteMade(sessionDir, writtenBy(subject));
    return NO_INTERVENTION;
  },
};

type Finding = Loss | { readonly kind: "unsure"; readonly what: string };

interface Look {
  readonly options: DeleteOptions;
  readonly subject: StepSubject;
  readonly git: Omit<GitQueryOptions, "cwd">;
  readonly sessionDir: string;
}

async function lookAt(look: Look): Promise<Finding | null> {
  const { subject, options } = look;
  const line = analyzeStepLine(subject);
  if (line !== null && line.problem !== null)
    return { kind: "unsure", what: `the line cannot be read far enough: ${line.problem}` };
  try {
    const { targets, unknown } = deletesOf(subject, line);
    const loss = targets.length === 0 ? null : await findLoss(targets, contextOf(look));
    if (loss !== null) return loss;
    const [text] = unknown;
    if (text !== undefined) return { kind: "unsure", what: `\`${text}\`; write the path plainly` };
  } catch (error) {
    if (!(error instanceof TooMuchToLookAt)) throw error;
    return { kind: "unsure", what: error.message };
  }
  const hidden = findHiddenProgram(line, options.interpreters);
  return hidden === null ? null : { kind: "unsure", what: hidden };
}

interface Deletes {
  readonly targets: readonly DeleteTarget[];
  readonly unknown: readonly string[];
}

const DELETING_TOOL = /delete|remove|unlink|rmdir|trash/i;

function deletesOf(subject: StepSubject, line: LineAnalysis | null): Deletes {
  const context: PathContext = { folder: subject.envelope.cwd, home: subject.home };
  const limit = new LookLimit();
  if (line !== null) return lineDeletes(line, context, limit);
  const { kind = "other", tool = "", args = {} } = subject.envelope;
  const asTarget = (path: string, at: PathContext): DeleteTarget => ({
    path: absolutePath(path, at),
    names: null,
    isWhole: false,
  });
  const patched = deletedInPatch(args).map((path) => asTarget(path, context));
  if (kind !== "mcp" && kind !== "other") return { targets: patched, unknown: [] };
  const named = DELETING_TOOL.test(tool)
    ? toolTouches(subject).map(({ path, context: at }) => asTarget(path, at))
    : [];
  const lines = linesIn(args, tool).map((text) => lineDeletes(analyzeLine(text), context, limit));
  return {
    targets: [...patched, ...named, ...lines.flatMap(({ targets }) => targets)],
    unknown: lines.flatMap(({ unknown }) => unknown),
  };
}

function contextOf({ options, subject, git, sessionDir }: Look): DeleteContext {
  const { root, home } = subject;
  const isExcepted = pathsBelow(options.except, { folder: root, home });
  return {
    root,
    home,
    isMade: readMade(sessionDir),
    isExcepted: (path) => isExcepted({ written: path, real: path }),
    gitStatus: async (folder, names) => {
      const query = { ...git, cwd: folder };
      const top = await queryGit(["rev-parse", "--show-toplevel"], query);
      if (top === null) return null;
      const flags = [
        "--porcelain=v1",
        "-z",
        "--untracked-files=all",
        "--ignored=matching",
        "--no-renames",
      ];
      const status = await queryGit(
        ["status", ...flags, "--", ...names.map((name) => `:(literal)${name}`)],
        query,
      );
      return status === null ? null : `${top.trimEnd()}\0${status}`;
    },
  };
}

/** Paths that the step is about to write; what a command only moves there it has not made. */
function writtenBy(subject: StepSubject): string[] {
  const { cwd, kind } = subject.envelope;
  const context: PathContext = { folder: cwd, home: subject.home };
  const line = analyzeStepLine(subject);
  if (line === null)
    return kind === "write" || kind === "edit"
      ? subject.paths.map((path) => absolutePath(path, context))
      : [];
  return line.commands.flatMap((command) => {
    const effects = effectsOf(command);
    if (effects.some(({ access }) => access === "delete")) return [];
    return effects.flatMap(({ access, word, isPossible, folders }) =>
      access === "write" && word.kind === "literal" && !isPossible
        ? folders.flatMap((folder) =>
            folder === null
              ? []
              : [absolutePath(word.text, { ...context, folder: absolutePath(folder, context) })],
          )
        : [],
    );
  });
}

// What an agent made in this session, as the hooks saw it: paths that were not there before it wrote them. Kept in a file
// of the session, one path a line, so that steps in several processes only ever add to it.

const MAX_NOTED_AT_ONCE = 200;
const MAX_BYTES = 262_144;
/** Nothing is written under a longer one, and each of its folders would be looked up. */
const MAX_PATH_LENGTH = 4_096;

const fileIn = (sessionDir: string): string => join(sessionDir, "made");

/** Of the paths that are about to be written those that are new. Where nothing can be noted, deletes are asked about. */
function noteMade(sessionDir: string, paths: readonly string[]): void {
  const fresh = paths
    .slice(0, MAX_NOTED_AT_ONCE)
    .filter((path) => path.length <= MAX_PATH_LENGTH && !path.includes("\n"))
    .filter((path) => !isThere(path));
  if (fresh.length === 0) return;
  // The topmost folder that is new stands for all that will be in it.
  const tops = new Set(fresh.map(topOf));
  try {
    const file = fileIn(sessionDir);
    if ((statOf(file, lstatSync)?.size ?? 0) > MAX_BYTES) return;
    makeFolder(sessionDir, 0o700);
    appendFileSync(file, [...tops].map((path) => `${path}\n`).join(""), { mode: 0o600 });
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
  }
}

/** Whether a path, or a folder that it is in, was made in the session. */
function readMade(sessionDir: string): (path: string) => boolean {
  const made = new Set(readText(fileIn(sessionDir)).split("\n"));
  return (path) => {
    for (let each = path; each !== dirname(each); each = dirname(each))
      if (made.has(each)) return true;
    return false;
  };
}

function topOf(path: string): string {
  let top = path;
  while (!existsSync(dirname(top)) && dirname(top) !== top) top = dirname(top);
  return top;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return "";
  }
}
