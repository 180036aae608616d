// Whether an agent can be run here. Looking never fails: what is missing or broken is the answer.
import { tmpdir } from "node:os";
import type { CommandContext, JsonValue } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { fingerprint } from "../../core/project/fingerprint.ts";
import { asRecord } from "../../core/project/json-value.ts";
import type { AgentAdapter } from "./adapter.ts";
import { type Authentication, checkLogin, pickEnvironment } from "./login.ts";

export interface Availability {
  readonly available: boolean;
  readonly version?: string;
  readonly path?: string;
  readonly authenticated?: Authentication;
  readonly problem?: string;
}

interface ProgramSearchOptions {
  /** `agents.NAME.path` of the configuration. */
  readonly configuredPath?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const VERSION_TIMEOUT_MS = 15_000;

/** `ADJ_AGENT_CLAUDE_CODE` for `claude-code`. */
export const programVariable = (agent: string): string =>
  `ADJ_AGENT_${agent.toUpperCase().replaceAll("-", "_")}`;

type LocatedProgram =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "missing"; readonly problem: string };

/** As it is named, and as it is looked for. */
export function nameProgram(
  adapter: Pick<AgentAdapter, "name" | "program">,
  { configuredPath, env }: Pick<ProgramSearchOptions, "configuredPath" | "env">,
): { readonly named: string; readonly expanded: string } {
  const named = configuredPath || env[programVariable(adapter.name)] || adapter.program || "";
  const isHome = named.startsWith("~/") && env.HOME;
  return { named, expanded: isHome ? `${env.HOME}/${named.slice(2)}` : named };
}

/** Configuration first, then the environment, then PATH; a path that was named is not passed over. */
export async function locateProgram(
  adapter: Pick<AgentAdapter, "name" | "program" | "installHint">,
  { configuredPath, env, cwd = "/" }: ProgramSearchOptions,
): Promise<LocatedProgram> {
  const variable = programVariable(adapter.name);
  const { named, expanded } = nameProgram(adapter, { configuredPath, env });
  const search = await findProgram(expanded, { path: env.PATH, cwd });
  if (search.kind === "found") return { kind: "found", path: search.path };
  if (search.kind === "not_executable")
    return { kind: "missing", problem: `\`${search.path}\` is not an executable file` };
  const where = configuredPath
    ? "as configured"
    : env[variable]
      ? `from \`${variable}\``
      : "on PATH";
  const problem = `\`${named}\` was not found ${where}; install it with \`${adapter.installHint}\``;
  return { kind: "missing", problem };
}

/**
 * Where the program is, which version, and whether it has a login. Never rejects.
 *
 * @example
 * const here = await checkAvailability(await requireAdapter("codex"), { env: { PATH: "/usr/bin" } });
 */
export async function checkAvailability(
  adapter: AgentAdapter,
  options: ProgramSearchOptions,
): Promise<Availability> {
  if (adapter.program === null) return { available: true, authenticated: "unknown" };
  const located = await locateProgram(adapter, options);
  if (located.kind === "missing") return { available: false, problem: located.problem };
  const { path } = located;
  const [asked, authenticated] = await Promise.all([
    askVersion(path, adapter.versionArgs, options.env),
    checkLogin(adapter.login, options.env),
  ]);
  if (asked.version === null)
    return { available: false, path, authenticated, problem: asked.problem };
  return { available: true, version: asked.version, path, authenticated };
}

interface VersionAnswer {
  readonly version: string | null;
  readonly problem: string;
}

/** Programs that told their version, as they were then: a host asks for each turn, and some take a second to say it. */
const knownVersions = new Map<string, VersionAnswer>();

async function askVersion(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<VersionAnswer> {
  const key = `${path} ${fingerprint(path)}`;
  const known = knownVersions.get(key);
  if (known !== undefined) return known;
  const answer = await runForVersion(path, args, env);
  if (answer.version !== null) knownVersions.set(key, answer);
  return answer;
}

async function runForVersion(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<VersionAnswer> {
  // Most that look for an agent here start nothing.
  const { runProcess } = await import("../../core/process/run.ts");
  const ending = await runProcess(
    { executable: path, args, env, cwd: tmpdir() },
    { timeoutMs: VERSION_TIMEOUT_MS, keepBytes: 64 * 1024 },
  );
  const printed = Buffer.concat([ending.stdout, ending.stderr]).toString("utf8");
  if (ending.kind === "not_started") return { version: null, problem: ending.problem };
  if (ending.kind === "timed_out")
    return { version: null, problem: `\`${path}\` did not tell its version in time` };
  const version = readVersion(Buffer.from(ending.stdout).toString("utf8")) ?? readVersion(printed);
  if (ending.exitCode === 0 && version !== null) return { version, problem: "" };
  const lines = printed.trim().split("\n");
  const complaint = lines.find((line) => /\berror\b/i.test(line)) ?? lines.at(-1) ?? "";
  return {
    version: null,
    problem: `\`${path}\` could not tell its version: ${complaint.slice(0, 200)}`,
  };
}

/** The first thing that looks like a version: `codex-cli 0.166.0`, `2.1.325 (Claude Code)`. */
export const readVersion = (text: string): string | null =>
  /\bv?(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(text)?.[1] ?? null;

type Settings = Readonly<Record<string, JsonValue | undefined>>;

/** Where a command looks for agents. */
export interface AgentSearch {
  /** The whole environment; each agent is given its own part of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly settings: Settings;
}

/** Where the caller of a command would have agents looked for. */
export const openAgentSearch = async (
  { env, workingDirectory }: CommandContext,
  program: { settings(): Promise<Settings> },
): Promise<AgentSearch> => ({
  env: env.forChild(),
  cwd: workingDirectory,
  settings: await program.settings(),
});

/** The part of a search that is for this agent. */
export const searchFor = (
  adapter: AgentAdapter,
  { env, cwd, settings }: AgentSearch,
): ProgramSearchOptions => ({
  env: pickEnvironment(adapter, env),
  cwd,
  configuredPath: configuredPath(settings, adapter.name),
});

/** `agents.NAME.path` of the settings. */
export function configuredPath({ agents }: Settings, name: string): string | undefined {
  const path = asRecord(asRecord(agents)[name]).path;
  return typeof path === "string" ? path : undefined;
}

export interface LocatedAgent {
  /** Missing for an agent that has no program of its own. */
  readonly program?: string;
  readonly agentVersion: string | null;
}

/** Where an agent's program is, and which version; one that is not there is a fault. */
export async function locateAgent(
  adapter: AgentAdapter,
  search: AgentSearch,
): Promise<LocatedAgent> {
  const here = await checkAvailability(adapter, searchFor(adapter, search));
  if (!here.available)
    throw fault(
      "AgentMissing",
      { agent: adapter.name, problem: here.problem ?? "it was not found" },
      { reportedCode: `${adapter.codePrefix}_CLI_NOT_FOUND` },
    );
  return {
    ...(here.path === undefined ? {} : { program: here.path }),
    agentVersion: here.version ?? null,
  };
}
