// The one way in which we ask git something. A repository may name programs of its own in its settings and attributes
// (filters, a file monitor, hooks, drivers of diffs, remotes that are fetched from when an object is missing): none of
// them is started by our reading.
import type { ProcessEnding, RunOptions } from "./command-spec.ts";

export interface GitReadOptions
  extends Pick<RunOptions, "timeoutMs" | "outputLimit" | "keepBytes"> {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** To reach another repository, git may use the person's own transports; by default it reaches none. */
  readonly transport?: boolean;
  /** It may take locks and write files of the worktree; filters are off all the same. */
  readonly isWriting?: boolean;
}

type Setting = readonly [name: string, value: string];

const QUIET: readonly Setting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.untrackedCache", "keep"],
  ["log.showSignature", "false"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
];
const SEPARATE: readonly Setting[] = [
  ["core.sshCommand", "false"],
  ["core.askPass", "false"],
  ["credential.helper", ""],
];

/** What git reads files of the worktree for; a submodule has settings of its own that ours do not reach. */
const COMPARING: ReadonlyMap<string, readonly string[]> = new Map([
  ["diff", ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"]],
  ["diff-index", ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"]],
  ["status", ["--ignore-submodules=all"]],
  ["ls-files", []],
]);

/** Runs git with the first word as its subcommand; how it ended is a value, as with any process. */
export async function readGit(
  args: readonly string[],
  options: GitReadOptions,
): Promise<ProcessEnding> {
  const [subcommand = "", ...rest] = args;
  const own = COMPARING.get(subcommand) ?? (options.isWriting === true ? [] : undefined);
  if (own === undefined) return runHardened(args, options, []);
  const asked = ["config", "-z", "--name-only", "--get-regexp", "^(filter|hook)\\."];
  const listed = await runHardened(asked, options, []);
  // 1 means that there are none; whatever else it is, git would not answer the question itself either.
  if (listed.kind !== "exited" || listed.exitCode > 1) return listed;
  return runHardened([subcommand, ...own, ...rest], options, withoutDrivers(listed.stdout));
}

async function runHardened(
  args: readonly string[],
  { env, cwd, transport = false, isWriting: _ = false, ...options }: GitReadOptions,
  settings: readonly Setting[],
): Promise<ProcessEnding> {
  const { runProcess } = await import("./run.ts");
  // The person's own settings in the environment may say how a remote is reached: those stay.
  const spec = transport
    ? { executable: "git", args: [...asOptions(QUIET), ...args], env: withTransport(env), cwd }
    : {
        executable: "git",
        args,
        env: { ...withoutTransport(env), ...asVariables([...QUIET, ...SEPARATE, ...settings]) },
        cwd,
      };
  return runProcess(spec, { graceMs: 500, ...options });
}

/** A filter cannot be switched off by its kind, only by its name, nor can a hook of the settings (git 2.54). */
function withoutDrivers(listed: Uint8Array): Setting[] {
  const names = Buffer.from(listed).toString().split("\0");
  const drivers = new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))));
  return [...drivers].filter(Boolean).flatMap((driver): Setting[] =>
    driver.startsWith("hook.")
      ? [[`${driver}.enabled`, "false"]]
      : [
          [`${driver}.clean`, ""],
          [`${driver}.smudge`, ""],
          [`${driver}.process`, ""],
          [`${driver}.required`, "false"],
        ],
  );
}

/** By variables and not by `-c`, where a name with `=` in it would be another one. */
const asVariables = (settings: readonly Setting[]): Record<string, string> =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);

const asOptions = (settings: readonly Setting[]): string[] =>
  settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);

type Variables = Readonly<Record<string, string>>;

const ALWAYS: Variables = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
};
const KEPT = /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|CEILING_DIRECTORIES)$/;
const TRANSPORT = /^GIT_(CONFIG|SSH|SSL|HTTP|ASKPASS|PROXY|CURL)/;

/** Of no repository but the one at hand: run from a hook of git, the environment names another. */
const keepOnly = (env: Variables, kept: RegExp): Variables =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || kept.test(name)),
  );

const withTransport = (env: Variables): Variables => ({ ...keepOnly(env, TRANSPORT), ...ALWAYS });

const withoutTransport = (env: Variables): Variables => ({
  ...keepOnly(env, KEPT),
  ...ALWAYS,
  GIT_ALLOW_PROTOCOL: "none",
});
