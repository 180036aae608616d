// An agent's program in namespaces of its own, by bubblewrap: it sees nothing of what it is graded with, writes
// nowhere but in its workspace, and all that it started ends when it does.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { resolveLoginPath } from "../../agents/run/login.ts";
import {
  type CommandSpec,
  hasSucceeded,
  lastLineOf,
  type ProcessEnding,
} from "../../core/process/command-spec.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { runProcess } from "../../core/process/run.ts";
import { isFolder } from "../../core/project/files.ts";
import {
  describeMounts,
  isBelowAny,
  listProgramFolders,
  listProgramParts,
  type OwnFolder,
  realPaths,
} from "./mounts.ts";

/** A namespace for processes: when its first one ends, the kernel ends all others. */
const NAMESPACES = ["--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"];
/** Root would otherwise take away what covers the secrets. */
const RIGHTS = ["--cap-drop", "ALL"];

export interface SandboxOptions {
  readonly network: boolean;
  /** The one folder that the program may change. */
  readonly workspace: string;
  /** See `MountRequest`. */
  readonly hidden: readonly string[];
  readonly secret: readonly string[];
  readonly shown: readonly string[];
  /** Files outside of the workspace that it writes, such as a report; they are made first. */
  readonly reports: readonly string[];
  /** Variables that name folders of the agent's own. */
  readonly homeVariables: readonly string[];
  /** As in `Login`; each is copied into the program's own home. */
  readonly loginFiles: readonly string[];
}

/** The command as it runs in the sandbox; `TMPDIR` is a fresh folder for this run. */
export async function wrapInSandbox(
  command: CommandSpec,
  options: SandboxOptions,
): Promise<CommandSpec> {
  const { env, cwd } = command;
  const found = await findProgram(command.executable, { path: env.PATH, cwd });
  // A program that cannot be started says so best by itself.
  if (found.kind !== "found") return command;
  const folder = env.TMPDIR ?? "";
  const home = homeIn(env);
  const own = makeOwnFolders(folder, [home, ...namedFolders(env, options.homeVariables)]);
  for (const file of options.loginFiles) copyLogin(resolveLoginPath(file, env), own);
  for (const file of options.reports)
    if (!existsSync(file)) writeFileSync(file, "", { mode: 0o600 });
  const mounts = describeMounts({
    hidden: [...USERS, ...options.hidden],
    secret: options.secret,
    shown: [
      ...SYSTEM_LINKS,
      ...listProgramFolders(env.PATH ?? ""),
      ...listProgramParts(found.path),
      ...options.shown,
    ],
    own,
    writable: [options.workspace, ...options.reports],
  });
  const network = options.network ? [] : ["--unshare-net"];
  return {
    executable: BWRAP,
    args: [
      ...[...mounts, ...NAMESPACES, ...RIGHTS, ...network, "--chdir", cwd, "--"],
      ...[command.executable, ...command.args],
    ],
    env: { ...env, TMPDIR: "/tmp", HOME: home },
    cwd,
  };
}

export interface GraderFolders {
  readonly stateDir: string;
  readonly suiteFolder: string;
}

/**
 * A program of the suite that runs what an agent left has the person's rights, as the suite says: caches and
 * services are there. But what it starts ends with it, and other trials, results and the suite are out of reach; the
 * folder that it runs in is the copy that it grades, or the workspace that is tidied up.
 */
export const runGraderIn =
  ({ stateDir, suiteFolder }: GraderFolders): typeof runProcess =>
  async (command, options) => {
    const { cwd } = command;
    const args = [
      ...["--dev-bind", "/", "/", "--proc", "/proc"],
      ...["--ro-bind", suiteFolder, suiteFolder, "--tmpfs", stateDir, "--bind", cwd, cwd],
      ...[...NAMESPACES, "--cap-drop", "CAP_SYS_ADMIN", "--chdir", cwd, "--"],
      ...[command.executable, ...command.args],
    ];
    const wrapped = { ...command, executable: BWRAP, args };
    const ended = await runProcess(wrapped, options);
    return hasNotBegun(ended) ? await runProcess(wrapped, options) : ended;
  };

/**
 * A file system that somebody unmounts while bubblewrap goes through the mounts of the machine (a container that ends, a
 * stick) keeps it from starting: `Can't bind mount …: No such file or directory`. A program that only says so runs twice.
 */
const hasNotBegun = (ended: ProcessEnding): boolean =>
  ended.kind === "exited" &&
  ended.exitCode === 1 &&
  ended.stdout.length === 0 &&
  Buffer.from(ended.stderr).toString().startsWith(`${BWRAP}: `);

const BWRAP = "bwrap";
/** Homes and sockets: by the socket of a container service, or of the user's own session, one is outside again. */
const USERS = ["/home", "/root", "/run", "/var/tmp"];
/** What names are looked up with may be a link into a hidden folder, and on some systems all programs are. */
const SYSTEM_LINKS = ["/etc/resolv.conf", "/run/current-system"];

/** A folder that nothing can be put over is replaced by another. */
const homeIn = ({ HOME = "" }: CommandSpec["env"]): string =>
  isAbsolute(HOME) && HOME !== "/" && isFolder(HOME) ? realpathSync(HOME) : "/tmp/home";

const FOLDER_VARIABLES = /^XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME$/;

const namedFolders = (env: CommandSpec["env"], names: readonly string[]): string[] =>
  Object.entries(env)
    .filter(([name]) => FOLDER_VARIABLES.test(name) || names.includes(name))
    .map(([, value]) => value)
    .filter((path) => path !== "/" && isAbsolute(path) && isFolder(path));

/** `/tmp`, and homes in the order in which they lie in each other. */
function makeOwnFolders(folder: string, homes: readonly string[]): OwnFolder[] {
  const [first = "", ...others] = homes;
  const folders = [
    "/tmp",
    first,
    ...realPaths(others).filter((path) => !isBelowAny(path, [first])),
  ];
  return [...new Set(folders)]
    .toSorted((one, other) => one.length - other.length)
    .map((at, index) => {
      const stand = join(folder, `own-${index}`);
      mkdirSync(stand, { recursive: true, mode: 0o700 });
      return { at, folder: stand };
    });
}

const MAX_LOGIN_BYTES = 1_000_000;

/** A copy, because agents renew a login by a new file; the original is as it was. */
function copyLogin(file: string | null, own: readonly OwnFolder[]): void {
  if (file === null || !existsSync(file)) return;
  const real = join(realpathSync(dirname(file)), relative(dirname(file), file));
  const ownFolder = own.findLast(({ at }) => isBelowAny(real, [at]));
  const facts = statSync(file);
  if (ownFolder === undefined || !facts.isFile() || facts.size > MAX_LOGIN_BYTES) return;
  const copy = resolve(ownFolder.folder, relative(ownFolder.at, real));
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  copyFileSync(file, copy);
}

let probe: Promise<string | null> | null = null;

/** Why there is no sandbox here; null where there is one. It is tried once in the life of this process. */
export function findSandboxProblem(env: Readonly<Record<string, string>>): Promise<string | null> {
  probe ??= tryBubblewrap(env);
  return probe;
}

const PROBE_TIMEOUT_MS = 10_000;

async function tryBubblewrap(env: Readonly<Record<string, string>>): Promise<string | null> {
  const mounts = describeMounts({ hidden: USERS, secret: [], shown: [], own: [], writable: [] });
  const args = [...mounts, ...NAMESPACES, ...RIGHTS, "--unshare-net", "--", "true"];
  const ended = await runProcess(
    { executable: BWRAP, args, env, cwd: "/" },
    { timeoutMs: PROBE_TIMEOUT_MS },
  );
  if (hasSucceeded(ended)) return null;
  if (ended.kind === "not_started")
    return `bubblewrap (\`${BWRAP}\`) is not here: ${ended.problem}`;
  return `bubblewrap cannot make a sandbox here: ${lastLineOf(ended.stderr) ?? ended.kind}`;
}
