// Where the files lie that a tool call reads, by where their paths lead: inside the project, or not. What cannot be said
// is said to be unknown.
import { isInside } from "../../core/project/paths.ts";
import { analyzeStepLine } from "../../core/shell/analyze-line.ts";
import { effectsOf } from "../../core/shell/effects/effects-of.ts";
import { readGitCall } from "../../core/shell/git-call.ts";
import type { LineAnalysis, SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import { placeOf, readHome } from "../../hooks/builtins/files/place-of-path.ts";
import {
  absolutePath,
  type PathContext,
  placesOfPath,
  resolveBoth,
  resolvePath,
  splitPattern,
} from "../../hooks/match/paths.ts";
import type { Reach } from "./decide.ts";

/** A line that names more is not looked through. */
const MAX_PATHS = 2_000;

export function reachOf(subject: StepSubject): Reach {
  const { kind } = subject.envelope;
  const line = analyzeStepLine(subject);
  const root = resolvePath(subject.root, { folder: "/", home: subject.home });
  if (line !== null) return reachOfLine(line, subject, root);
  if (kind !== "read" && kind !== "search") return "unknown";
  const context = { folder: subject.envelope.cwd, home: subject.home };
  const named = [...subject.paths, ...globsOf(subject)];
  // A search without a path is one of the folder it is in; a tool that reads must say what.
  const paths = named.length === 0 && kind === "search" ? ["."] : named;
  if (paths.length === 0) return "unknown";
  return worst(paths.map((path) => reachOfPattern(path, context, root)));
}

const worst = (reaches: readonly Reach[]): Reach => {
  if (reaches.length > MAX_PATHS || reaches.includes("unknown")) return "unknown";
  return reaches.includes("outside") ? "outside" : "inside";
};

/** The arguments by which searches name files with globs; of a search for names its pattern is one. */
const GLOB_KEYS = ["glob", "include", "include_pattern", "file_pattern"];

function globsOf({ envelope: { kind, tool = "", args = {} } }: StepSubject): string[] {
  if (kind !== "search") return [];
  const keys = /glob|find|list/i.test(tool) ? [...GLOB_KEYS, "pattern"] : GLOB_KEYS;
  const values = keys.flatMap((key) => [args[key]].flat());
  return values.filter((value) => typeof value === "string").map((glob) => glob.replace(/^!/, ""));
}

function reachOfPattern(path: string, context: PathContext, root: string): Reach {
  const { base, rest } = splitPattern(path);
  // What a glob leads to behind its first star cannot be resolved.
  if (/(^|[/{,])\.\.([/},]|$)/.test(rest) || rest.startsWith("{/")) return "unknown";
  const places = placesOfPath(resolveBoth(base === "" ? "." : base, context));
  return places.every((place) => isInside(place, root)) ? "inside" : "outside";
}

// A shell line: the folders its commands run in, and every file they name.

function reachOfLine(line: LineAnalysis, subject: StepSubject, root: string): Reach {
  if (line.problem !== null || line.unsure.length > 0) return "unknown";
  const context = { folder: subject.envelope.cwd, home: subject.home };
  return worst(line.commands.flatMap((command) => reachesOf(command, context, root)));
}

function reachesOf(command: SimpleCommand, context: PathContext, root: string): Reach[] {
  const folders = command.folders.map((folder) => foldersReach(command, folder, context, root));
  const files = effectsOf(command).flatMap((effect) => {
    // A process substitution is no file; what it runs is a command of its own.
    if (/^[<>]\(/.test(effect.word.text)) return [];
    return effect.folders.map((folder): Reach => {
      const place = placeOf(effect, folder, context);
      const path = place === null ? null : readHome(effect, place);
      if (path === null || place === null) return "unknown";
      return NO_FILE.test(path) ? "inside" : reachOfPattern(path, place, root);
    });
  });
  return [...folders, ...files];
}

/** What is written there or read from there is nobody's file. */
const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/;

function foldersReach(
  command: SimpleCommand,
  folder: string | null,
  context: PathContext,
  root: string,
): Reach {
  if (folder === null) return "unknown";
  const git = readGitCall(command);
  if (git?.isElsewhere) return "unknown";
  const entered = (git?.folders ?? []).reduce(
    (from, to) => absolutePath(to, { ...context, folder: from }),
    absolutePath(folder, context),
  );
  return isInside(resolvePath(entered, context), root) ? "inside" : "outside";
}
