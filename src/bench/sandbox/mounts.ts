// What of this machine a sandboxed program sees: everything read-only, but for what is covered, what is shown in
// spite of that, and the few folders it may write to. Looks at links and folders; starts and changes nothing.
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

export interface MountRequest {
  /** Folders that are emptied: homes, the suite, our own state. */
  readonly hidden: readonly string[];
  /** Hidden wherever they lie, also inside of what is shown: solutions, hidden tests, repositories. */
  readonly secret: readonly string[];
  /** Read-only although they lie in a hidden folder: programs, settings of the agent. */
  readonly shown: readonly string[];
  /** Each with the folder that stands in for it. */
  readonly own: readonly OwnFolder[];
  readonly writable: readonly string[];
}

export interface OwnFolder {
  readonly at: string;
  readonly folder: string;
}

/** A sandbox without them starts no program. */
const SYSTEM = [
  "/",
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib64",
  "/etc",
  "/dev",
  "/proc",
  "/sys",
  "/var",
];

/**
 * The arguments of `bwrap`. Later ones lie on top: what is hidden, then what is shown in it, then the secrets in
 * that, and last what may be written.
 */
export function describeMounts(request: MountRequest): string[] {
  const owned = new Set(request.own.map(({ at }) => at));
  const hidden = outermost(realPaths(request.hidden).filter(isCoverable)).filter(
    (path) => !owned.has(path),
  );
  const covered = [...hidden, ...owned];
  const shown = request.shown.flatMap((path) => placesOf(path, covered));
  const open = shown.map(({ at }) => at);
  const secrets = realPaths(request.secret).filter(
    (path) => isCoverable(path) && (isBelowAny(path, open) || !isBelowAny(path, covered)),
  );
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...hidden.flatMap(cover),
    ...request.own.flatMap(({ at, folder }) => ["--bind", folder, at]),
    ...shown.flatMap(({ from, at }) => ["--ro-bind", from, at]),
    ...secrets.flatMap(cover),
    ...request.writable.flatMap((path) => ["--bind", path, path]),
  ];
}

/** An empty folder in place of a folder, an empty file in place of a file. */
const cover = (path: string): string[] =>
  statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];

const isCoverable = (path: string): boolean =>
  !SYSTEM.some((needed) => needed === path || needed.startsWith(`${path}/`));

export const realPaths = (paths: readonly string[]): string[] => [
  ...new Set(paths.filter((path) => isAbsolute(path) && existsSync(path)).map(resolveLinks)),
];

const resolveLinks = (path: string): string => realpathSync(path);

export const isBelowAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Without those that lie in another of them. */
const outermost = (paths: readonly string[]): string[] =>
  paths.filter((path) => !isBelowAny(dirname(path), paths) || path === "/");

/** Where something has to be put to be found: at its real place, and where a link that is covered led to it. */
function placesOf(path: string, covered: readonly string[]): { from: string; at: string }[] {
  if (!isAbsolute(path) || !existsSync(path)) return [];
  const from = realpathSync(path);
  return [...new Set([from, ...linkedPaths(path)])]
    .filter((at) => isBelowAny(at, covered) && !covered.includes(at))
    .map((at) => ({ from, at }));
}

/** The path as it is written, with the links of its folders resolved as far as they are not the last step. */
function linkedPaths(path: string): string[] {
  const spellings = [
    path,
    join(realpathSync(dirname(path)), path.slice(path.lastIndexOf("/") + 1)),
  ];
  return lstatSync(path).isSymbolicLink() ? spellings : [path];
}

/**
 * Programs below a hidden folder must be found all the same: the folders of PATH, and beside `bin` the `lib` that
 * programs of Node and Python are kept in.
 */
export function listProgramFolders(path: string): string[] {
  const folders = path.split(":").filter((folder) => isAbsolute(folder) && folder !== "/");
  return folders.flatMap((folder) =>
    folder.endsWith("/bin") ? [folder, join(dirname(folder), "lib")] : [folder],
  );
}

/** The file of a program, and around it what it is made of: its package where it is one of npm, else its folder. */
export function listProgramParts(program: string): string[] {
  if (!existsSync(program)) return [];
  const real = realpathSync(program);
  const packages = /^.*?\/node_modules(?=\/)/.exec(real)?.[0];
  return [program, real, ...(packages === undefined ? [] : [packages])];
}
