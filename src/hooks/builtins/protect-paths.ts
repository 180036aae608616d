// Keeps tools and shell lines away from files. Every tool is looked at; a folder that is read contains its files; what
// cannot be looked up is unsure.
import { isInside } from "../../core/project/paths.ts";
import { analyzeLine, analyzeStepLine } from "../../core/shell/analyze-line.ts";
import type { LineAnalysis } from "../../core/shell/simple-command.ts";
import type { IgnoreManner, StepSubject } from "../../core/step/envelope.ts";
import { STEP_RULES, type StepName } from "../../core/step/step.ts";
import type { Verdict } from "../../core/step/verdict.ts";
import {
  absolutePath,
  type PathContext,
  placesOfPath,
  type ResolvedPath,
  resolveBoth,
} from "../match/paths.ts";
import {
  actBecause,
  actUnsure,
  type Builtin,
  type BuiltinContext,
  findHiddenProgram,
  NO_INTERVENTION,
} from "./builtin.ts";
import { expandGlob, globManner } from "./files/expand-glob.ts";
import { ALL_FILES, type FileTouch, namesOpened } from "./files/file-touch.ts";
import { type LineFiles, lineFiles, type UnknownFile } from "./files/line-files.ts";
import { LookLimit, TooMuchToLookAt } from "./files/look-limit.ts";
import {
  asFolder,
  type FolderReading,
  type ProtectedFiles,
  protectedFiles,
  withNames,
} from "./files/protected-files.ts";
import { listSearched } from "./files/searched-files.ts";
import { codeTouchesIn, foldersOf, linesIn, toolTouches } from "./files/tool-files.ts";
import { isOfGit } from "./files/tracked-files.ts";
import type { BuiltinOptions } from "./options.ts";
import { payloadTexts } from "./payload-texts.ts";
import type { GitQueryOptions } from "./query-git.ts";

type ProtectOptions = BuiltinOptions<"protect-paths">;

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const protectPaths: Builtin<ProtectOptions> = {
  name: "protect-paths",
  description: "keeps files and folders from being read or written, through the shell too",
  steps: STEPS,
  // Where a file may be read, it may also be put back as git has it.
  decide: (options, subject, context) =>
    decideOnFiles(options, subject, { ...context, mayPutBack: !options.access.includes("read") }),
};

interface FilesContext extends Pick<BuiltinContext, "rule" | "env" | "signal"> {
  /** Files that somebody else found to be touched. */
  readonly named?: () => readonly FileTouch[];
  /** More patterns, of files that count where they are touched by name and not inside of a folder. */
  readonly anywhere?: readonly string[];
  /** Whether git may write what it has of them. */
  readonly mayPutBack?: boolean;
}

/** Also for a guard that protects files of its own. */
export async function decideOnFiles(
  options: ProtectOptions,
  subject: StepSubject,
  { rule, env, signal, named = () => [], anywhere = [], mayPutBack = false }: FilesContext,
): Promise<Verdict> {
  const git = { env, signal };
  const finding = await lookAt({ options, subject, named, anywhere, mayPutBack, git });
  if (finding === null) return NO_INTERVENTION;
  const why = options.reason === null ? "" : `; ${options.reason}`;
  if (finding.kind === "unsure")
    return actUnsure(
      options.unsure,
      `it cannot be said whether it leaves alone what \`${rule}\` protects: ${finding.what}${why}`,
      subject,
    );
  const excluded = excludeNames(options, subject);
  if (finding.isBelow && excluded !== null) return excluded;
  return actBecause(
    options.action,
    `it would touch \`${nameIn(subject, finding.path)}\`, which \`${rule}\` protects${finding.isBelow ? LEAVE_OUT : ""}${why}`,
  );
}

const LEAVE_OUT =
  " and which is in a folder that is taken as a whole: name the files that are meant, or leave it out";

/** As a person would write it, from the project. */
const nameIn = ({ root }: StepSubject, path: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

type Finding =
  | { readonly kind: "touched"; readonly path: string; readonly isBelow: boolean }
  | { readonly kind: "unsure"; readonly what: string };

interface Look {
  readonly options: ProtectOptions;
  readonly subject: StepSubject;
  readonly named: () => readonly FileTouch[];
  readonly anywhere: readonly string[];
  readonly mayPutBack: boolean;
  readonly git: Omit<GitQueryOptions, "cwd">;
}

/** What is surely touched comes before what may be. */
async function lookAt(look: Look): Promise<Finding | null> {
  const { options, subject } = look;
  const root: PathContext = { folder: subject.root, home: subject.home };
  const files = withNames(protectedFiles(options, root), look.anywhere, root);
  const context = { folder: subject.envelope.cwd, home: subject.home };
  const line = analyzeStepLine(subject);
  if (line !== null && line.problem !== null)
    return { kind: "unsure", what: `the line cannot be read far enough: ${line.problem}` };
  try {
    const { touches, unknown } =
      line === null ? toolFiles(subject, context) : lineFiles(line, context);
    const limit = new LookLimit();
    const manner = globManner(line?.line ?? "");
    for (const touch of [...touches, ...look.named()].flatMap(withHistory)) {
      if (!options.access.includes(touch.access)) continue;
      if (look.mayPutBack && touch.isPutBack === true) continue;
      const found = await findTouched(touch, { ...look, files, limit, manner });
      if (found !== null) return found;
    }
    return findUnsure(line, unknown, { options, files });
  } catch (error) {
    if (!(error instanceof TooMuchToLookAt)) throw error;
    return { kind: "unsure", what: error.message };
  }
}

const OBJECTS = /^(.*)\/\.git\/objects(?:\/|$)/s;

/** Who opens what git keeps reads the files that it tracks. */
function withHistory(touch: FileTouch): FileTouch[] {
  const [, path] = OBJECTS.exec(absolutePath(touch.path, touch.context)) ?? [];
  if (path === undefined || touch.access !== "read") return [touch];
  const context = { ...touch.context, folder: path };
  return [touch, { ...touch, path, context, isGlob: false, below: ALL_FILES, ofGit: "tracked" }];
}

/** A tool may be a shell of somebody else's, or run code. */
function toolFiles(subject: StepSubject, context: PathContext): LineFiles {
  const { kind = "other", tool, args = {} } = subject.envelope;
  const touches = toolTouches(subject);
  if (kind !== "mcp" && kind !== "other") return { touches, unknown: [] };
  const places = foldersOf(payloadTexts(args), subject);
  const read = linesIn(args, tool).flatMap((text) => {
    const line = analyzeLine(text);
    return places.map((folder) => lineFiles(line, { ...context, folder }));
  });
  return {
    touches: [...touches, ...codeTouchesIn(subject), ...read.flatMap((each) => each.touches)],
    unknown: read.flatMap((each) => each.unknown),
  };
}

interface Search extends Look {
  readonly files: ProtectedFiles;
  readonly limit: LookLimit;
  readonly manner: ReturnType<typeof globManner>;
}

async function findTouched(touch: FileTouch, search: Search): Promise<Finding | null> {
  const { files, limit } = search;
  const path = resolveBoth(touch.path, touch.context);
  if (files.covers(path)) return { kind: "touched", path: touch.path, isBelow: false };
  if (touch.isGlob && /[*?[(]/.test(touch.path)) {
    const inside = findInGlob(touch, search);
    if (inside !== null || path.opened === undefined) return inside;
    return findInGlob({ ...touch, path: path.opened }, search);
  }
  if (touch.below === null) return null;
  const found = findBelow(path, touch.below, search);
  if (found === null) return null;
  if (touch.ofGit !== undefined) {
    limit.takeQuestion();
    const isOpened = touch.ofGit === "searched" ? opensIgnored : isOfGit;
    if (!(await isOpened(touch, search))) return null;
  }
  if (touch.isUnpacked === true) return { kind: "unsure", what: unpackedOver(found) };
  return { kind: "touched", path: found, isBelow: true };
}

function findBelow(
  path: ResolvedPath,
  reading: FolderReading,
  { files, limit }: Pick<Search, "files" | "limit">,
): string | null {
  for (const folder of placesOfPath(path)) {
    const found = files.findBelow(folder, reading, limit);
    if (found !== null) return found;
  }
  return null;
}

const unpackedOver = (path: string): string =>
  `the archive may hold \`${path}\`; unpack it into a folder of its own (\`tar -C\`, \`unzip -d\`)`;

function findInGlob(touch: FileTouch, { files, limit, manner }: Search): Finding | null {
  const hidden = manner.hidden || touch.isHidden === true;
  const expanded = expandGlob(touch.path, touch.context, { limit, ...manner, hidden });
  for (const file of expanded.files) {
    const path = resolveBoth(file, touch.context);
    if (files.covers(path)) return { kind: "touched", path: file, isBelow: false };
    const inside = touch.below === null ? null : findBelow(path, touch.below, { files, limit });
    if (inside !== null) return { kind: "touched", path: inside, isBelow: true };
  }
  for (const { folder, name } of expanded.below) {
    const reading = namesOpened([name], touch.below ?? undefined);
    const inside = files.findBelow(resolveBoth(folder, touch.context).real, reading, limit);
    if (inside !== null) return { kind: "touched", path: inside, isBelow: true };
  }
  return null;
}

/** Whether an agent's own search would open a protected file although it skips what git ignores. */
async function opensIgnored(touch: FileTouch, search: Search): Promise<boolean> {
  const { files, git, limit, options, subject } = search;
  if (options.paths.length === 0) return true;
  const folder = resolveBoth(touch.path, touch.context).real;
  const places = [subject.root, subject.home, subject.envelope.cwd];
  const manner = subject.skipsIgnored ?? mannerOfLine(subject);
  const listed = await listSearched(folder, { git, limit, places, manner });
  const below = touch.below ?? ALL_FILES;
  return (
    listed === null ||
    listed.files.some((file) => files.covers({ real: file, written: file })) ||
    listed.repositories.some((inner) => files.findBelow(inner, below, limit) !== null)
  );
}

/** `rg` in a line that leaves alone what it goes by. */
const mannerOfLine = ({ line }: StepSubject): IgnoreManner | undefined =>
  line === null || /ignore|RIPGREP|\.git\b/i.test(line) ? undefined : {};

function findUnsure(
  line: LineAnalysis | null,
  unknown: readonly UnknownFile[],
  { options, files }: Pick<Search, "options" | "files">,
): Finding | null {
  const open = unknown.find(({ access, path, isPossible }) => {
    const name =
      path
        .replace(/(?<!\/)\/+$/, "")
        .split("/")
        .at(-1) ?? "";
    return options.access.includes(access) && (!isPossible || files.mayBeNamed(name));
  });
  if (open !== undefined)
    return {
      kind: "unsure",
      what: `which file \`${open.path}\` is in \`${open.command}\`; write its path plainly`,
    };
  const hidden = findHiddenProgram(line, options.interpreters);
  return hidden === null ? null : { kind: "unsure", what: hidden };
}

// A search that would open a protected file is told to leave it out, where the tool has an argument for that.

const NAME = /^(?:\*\*\/)?([^/{}\s,]+)$/;

function excludeNames({ paths }: ProtectOptions, subject: StepSubject): Verdict | null {
  const { nameGlob = null, envelope } = subject;
  const names = paths
    .filter((path) => mayLieBelow(path, subject))
    .map((path) => NAME.exec(asFolder(path))?.[1]);
  const isFree = nameGlob !== null && envelope.args?.[nameGlob] === undefined;
  const canChange = STEP_RULES[envelope.step].changes.includes("args");
  if (!isFree || !canChange || names.includes(undefined)) return null;
  const glob = names.length === 1 ? `!**/${names[0]}` : `!**/{${names.join(",")}}`;
  return { args: { ...envelope.args, [nameGlob]: glob } };
}

/** `~/.ssh` is not in a project that is searched. */
function mayLieBelow(pattern: string, { envelope: { cwd }, paths, home }: StepSubject): boolean {
  if (!/^(~?\/)/.test(pattern)) return true;
  const context = { folder: cwd, home };
  const fixed = pattern.slice(0, /[*?[{]/.exec(pattern)?.index ?? pattern.length);
  const place = resolveBoth(
    fixed.replace(/[^/]*$/, (last) => (fixed === pattern ? last : "")),
    context,
  );
  return (paths.length === 0 ? ["."] : paths).some((path) => {
    const searched = resolveBoth(path, context);
    return [place.real, place.written].some(
      (each) =>
        isInside(each, searched.real) ||
        isInside(searched.real, each) ||
        isInside(each, searched.written),
    );
  });
}
