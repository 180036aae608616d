// Whether something may be deleted without a question: what is temporary, what a build makes again, what the agent made
// in this session, what git has. Everything else is lost when it is gone.

import { lstatSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { isFile, readText } from "../../../core/project/files.ts";
import { matchGlob } from "../../../core/project/glob.ts";
import { isInside } from "../../../core/project/paths.ts";
import { resolvePath } from "../../match/paths.ts";
import type { DeleteTarget } from "./deletes.ts";
import { namesInFolder } from "./expand-glob.ts";
import { TooMuchToLookAt } from "./look-limit.ts";

export interface DeleteContext {
  readonly root: string;
  readonly home: string;
  readonly isMade: (path: string) => boolean;
  readonly isExcepted: (path: string) => boolean;
  /** `git status` of names in a folder, in the form `-z`; null outside of a repository. */
  readonly gitStatus: (folder: string, names: readonly string[]) => Promise<string | null>;
}

export type Loss =
  /** A root, a home, the project itself. */
  { readonly kind: "root"; readonly path: string } | Lost;

interface Lost {
  readonly kind: "lost";
  readonly path: string;
  readonly why: string;
  /** Another file takes its place. */
  readonly isOverwritten?: true;
}

/** The first thing that would be lost, null where all of it can be had again. */
export async function findLoss(
  targets: readonly DeleteTarget[],
  context: DeleteContext,
): Promise<Loss | null> {
  const rest: DeleteTarget[] = [];
  for (const target of targets) {
    const path = realName(target.path);
    if (target.over !== undefined && !isOverwritten(path, target.over, context)) continue;
    if (target.names === null && isRoot(path, context))
      return target.isPart === true && path === realFolder(context.root)
        ? { kind: "lost", path, why: SOME_OF_IT }
        : { kind: "root", path };
    const kept = keptByGit({ ...target, path });
    if (kept !== null) return { kind: "root", path: kept };
    if (!target.isWhole && isThere(path) && !isFree({ ...target, path }, context))
      rest.push({ ...target, path });
  }
  const isLaid = ({ over }: DeleteTarget): boolean => over !== undefined;
  const deleted = rest.filter((each) => !isLaid(each));
  const loss = await findInGit(deleted, context);
  if (loss !== null || deleted.length === rest.length) return loss;
  const overwritten = await findInGit(rest.filter(isLaid), context);
  return overwritten === null ? null : { ...overwritten, isOverwritten: true };
}

/** By a file that was there before; what is temporary, built or made in this session was made for it. */
function isOverwritten(path: string, over: string, context: DeleteContext): boolean {
  const source = realName(over);
  return (
    source !== path &&
    isFile(path) &&
    isThere(source) &&
    !isMadeAgain(source, realFolder(context.root)) &&
    !isFree({ path: source, names: null, isWhole: false }, context)
  );
}

const SOME_OF_IT = "which files in it is known only when the line runs; name them";

/** A link is deleted itself, not what it leads to. */
function realName(path: string): string {
  const parent = resolvePath(dirname(path), { folder: "/", home: "/" });
  return path === "/" ? path : join(parent, basename(path));
}

/** A link that leads nowhere is there; what cannot be looked at is not known to be. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** What loses nothing by being written to, and the shared memory, whose files are like any other. */
const NO_DEVICE = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+|shm\/.+)$/;

/** Folders at the top, homes and what is around them, the project and its history, devices. */
function isRoot(path: string, { root, home }: DeleteContext): boolean {
  const isDevice = path.startsWith("/dev/") && !NO_DEVICE.test(path);
  const isTop = dirname(path) === "/" || isDevice;
  const isHome = /^\/(home|Users)\/[^/]+$/.test(path);
  const isAround = isInside(realFolder(root), path) || isInside(realFolder(home), path);
  return isTop || isHome || isAround || basename(path) === ".git";
}

/** What a repository cannot be without, beside its branches. */
const KEPT_BY_GIT = "HEAD config index packed-refs refs objects logs".split(" ");

/** `find . -name .git` finds the repository, `find . -name main` its branch; a pattern of the shell passes over what is hidden. */
function keptByGit({ path, names, goesHidden }: DeleteTarget): string | null {
  if (names === null) return null;
  const folder = join(path, ".git");
  const inside = [...KEPT_BY_GIT, ...namesInFolder(join(folder, "refs/heads")).map(asBranch)];
  const kept = [folder, ...(goesHidden ? inside.map((name) => join(folder, name)) : [])];
  const isFound = (name: string): boolean =>
    names.some((each) => matchGlob(each, name, { style: "text" }));
  return kept.find((each) => isFound(basename(each)) && isThere(each)) ?? null;
}

const asBranch = (name: string): string => `refs/heads/${name}`;

const realFolder = (folder: string): string => resolvePath(folder, { folder: "/", home: "/" });

const REBUILT: ReadonlySet<string> = new Set(
  `node_modules bower_components .next .nuxt .output .svelte-kit .astro .turbo .parcel-cache .vite .cache .nyc_output
   coverage htmlcov test-results playwright-report storybook-static __pycache__ .pytest_cache .mypy_cache .ruff_cache
   .tox .nox .venv venv .eggs .gradle .terraform .dart_tool .angular .webpack .rollup.cache .eslintcache .stylelintcache
   .hypothesis .ipynb_checkpoints .sass-cache .bundle cmake-build-debug cmake-build-release DerivedData .build`.split(
    /\s+/,
  ),
);

/** Names that a build gives, which may be a person's own folder too: only where git tracks nothing in it. */
const BUILT: ReadonlySet<string> = new Set(
  "dist build target out bin obj tmp temp logs log public _build site generated vendor".split(" "),
);

const GENERATED = [
  ...[
    "*.pyc",
    "*.pyo",
    "*.o",
    "*.obj",
    "*.class",
    "*.log",
    "*.tmp",
    "*.temp",
    "*.tsbuildinfo",
    "*.orig",
    "*.rej",
  ],
  ...[
    "*.bak",
    "*.swp",
    "*~",
    ".DS_Store",
    "Thumbs.db",
    "*.egg-info",
    "*.tgz",
    "*.map",
    "*.lcov",
    "cover.out",
    "*.prof",
  ],
  ...[
    "core",
    "nohup.out",
    "*.coverage",
    ".coverage",
    "*.gcda",
    "*.gcno",
    "*.stackdump",
    "*.pid",
    "*.sock",
    "*.rs.bk",
  ],
  ...[
    "stats.json",
    "junit*.xml",
    "report.xml",
    "cpu.out",
    "mem.out",
    "*.cpuprofile",
    "*.heapsnapshot",
    "npm-debug.log*",
  ],
];

const isGenerated = (name: string): boolean =>
  GENERATED.some((glob) => matchGlob(glob, name, { style: "text" }));

/** What nobody has to ask git about. */
function isFree({ path, names }: DeleteTarget, context: DeleteContext): boolean {
  const { home, root } = context;
  if (context.isExcepted(path) || context.isMade(path)) return true;
  if (names?.every((name) => REBUILT.has(name) || isGenerated(name)) === true) return true;
  if (REBUILT.has(basename(path)) || partsBelow(path, root).some((part) => REBUILT.has(part)))
    return true;
  if (/\/\.git\/[^/]+\.lock$/.test(path)) return true;
  const caches = join(home, ".cache");
  return isTemporary(path, context) || (path !== caches && isInside(path, caches));
}

const TEMPORARY = ["/tmp", "/var/tmp", "/dev/shm"];

/** A project or a home below such a folder is one all the same. */
function isTemporary(path: string, { root, home }: DeleteContext): boolean {
  const folders = [...TEMPORARY, realFolder(tmpdir())];
  return (
    folders.some((folder) => path !== folder && isInside(path, folder)) &&
    [root, home].every(
      (kept) => !isInside(path, realFolder(kept)) && !isInside(realFolder(kept), path),
    )
  );
}

const partsBelow = (path: string, root: string): string[] =>
  isInside(path, realFolder(root)) ? relative(realFolder(root), path).split("/") : [];

// What git has is not lost: files that it tracks and that were not changed since.

const MAX_FOLDERS = 20;

async function findInGit(
  targets: readonly DeleteTarget[],
  context: DeleteContext,
): Promise<Lost | null> {
  const byFolder = new Map<string, DeleteTarget[]>();
  for (const target of targets) {
    const folder = target.names === null ? dirname(target.path) : target.path;
    const group = byFolder.get(folder);
    if (group === undefined) byFolder.set(folder, [target]);
    else group.push(target);
  }
  if (byFolder.size > MAX_FOLDERS)
    throw new TooMuchToLookAt("what it deletes is in too many folders");
  for (const [folder, group] of byFolder) {
    const names = group.map(({ path }) => relative(folder, path) || ".");
    const status = await context.gitStatus(folder, names);
    const loss =
      status === null ? findWithoutGit(group) : findChanged(status, { folder, group, context });
    if (loss !== null) return loss;
  }
  return null;
}

function findWithoutGit(group: readonly DeleteTarget[]): Lost | null {
  const lost = group.find(({ path }) => !BUILT.has(basename(path)) && !isGenerated(basename(path)));
  return lost === undefined ? null : { kind: "lost", path: lost.path, why: "no repository has it" };
}

interface Group {
  readonly folder: string;
  readonly group: readonly DeleteTarget[];
  readonly context: DeleteContext;
}

/** An entry is two letters, a space and the path from the folder at the top, which comes first. */
function findChanged(status: string, { group, context }: Group): Lost | null {
  const [top = "/", ...entries] = status.split("\0");
  for (const submodule of submodulesOf(top)) {
    const target = group.find((each) => isInside(submodule, each.path) && isNamed(submodule, each));
    if (target !== undefined && !context.isExcepted(submodule))
      return { kind: "lost", path: submodule, why: "it is a repository of its own" };
  }
  for (const entry of entries) {
    const code = entry.slice(0, 2);
    const path = join(top, entry.slice(3)).replace(/\/$/, "");
    if (entry.length < 4 || code.includes("D") || context.isMade(path) || context.isExcepted(path))
      continue;
    const target = group.find((each) => isInside(path, each.path) || isInside(each.path, path));
    if (target === undefined || !isNamed(path, target)) continue;
    const isOwn = code === "!!" || code === "??";
    if (isOwn && (isMadeAgain(path, top) || isFree({ ...target, path, names: null }, context)))
      continue;
    const why = isOwn
      ? "git does not have it and it was not made in this session"
      : "it has changes that git does not have";
    return { kind: "lost", path: isInside(path, target.path) ? path : target.path, why };
  }
  return null;
}

/** Those that are checked out; what is changed in them is not asked, since git would start programs of theirs. */
const submodulesOf = (top: string): string[] =>
  [...(readText(join(top, ".gitmodules")) ?? "").matchAll(/^[ \t]*path[ \t]*=[ \t]*(.+)$/gm)]
    .map(([, path = ""]) => join(top, path.trim()))
    .filter((path) => isThere(join(path, ".git")));

/** A folder of that name goes with all that is in it. */
const isNamed = (path: string, { names, path: folder }: DeleteTarget): boolean =>
  names === null ||
  relative(folder, path)
    .split("/")
    .some((part) => names.some((name) => matchGlob(name, part, { style: "text" })));

/** In a folder with a name that builds use, what git does not track was built. */
export const isMadeAgain = (path: string, top: string): boolean =>
  isGenerated(basename(path)) ||
  relative(top, path)
    .split("/")
    .some((part) => REBUILT.has(part) || BUILT.has(part));
