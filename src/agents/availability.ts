// Whether an agent can be run here. Looking never fails: what is missing or broken is the answer.
import { tmpdir } from "node:os";
import { findProgram } from "../process/find-program.ts";
import { runProcess } from "../process/run-process.ts";
import type { AgentAdapter } from "./adapter.ts";
import { type Authentication, checkLogin } from "./login.ts";

export interface Availability {
  readonly available: boolean;
  readonly version?: string;
  readonly path?: string;
  readonly authenticated?: Authentication;
  readonly problem?: string;
}

export interface ProgramPlace {
  /** `agents.NAME.path` of the configuration. */
  readonly configuredPath?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const VERSION_TIMEOUT_MS = 15_000;

/** `ADJ_AGENT_CLAUDE_CODE` for `claude-code`. */
export const programVariable = (agent: string): string =>
  `ADJ_AGENT_${agent.toUpperCase().replaceAll("-", "_")}`;

export type LocatedProgram =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "missing"; readonly problem: string };

/** Configuration first, then the environment, then PATH; a place that was named is not passed over. */
export async function locateProgram(
  adapter: Pick<AgentAdapter, "name" | "program" | "installHint">,
  { configuredPath, env, cwd = "/" }: ProgramPlace,
): Promise<LocatedProgram> {
  const variable = programVariable(adapter.name);
  const named = configuredPath || env[variable] || adapter.program || "";
  const expanded = named.startsWith("~/") && env.HOME ? `${env.HOME}/${named.slice(2)}` : named;
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

/** Never throws and never rejects. */
export async function checkAvailability(
  adapter: AgentAdapter,
  place: ProgramPlace,
): Promise<Availability> {
  if (adapter.program === null) return { available: true, authenticated: "unknown" };
  const located = await locateProgram(adapter, place);
  if (located.kind === "missing") return { available: false, problem: located.problem };
  const { path } = located;
  const [asked, authenticated] = await Promise.all([
    askVersion(path, adapter.versionArgs, place.env),
    checkLogin(adapter.login, place.env),
  ]);
  if (asked.version === null)
    return { available: false, path, authenticated, problem: asked.problem };
  return { available: true, version: asked.version, path, authenticated };
}

interface VersionAnswer {
  readonly version: string | null;
  readonly problem: string;
}

async function askVersion(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<VersionAnswer> {
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
  const said = printed.trim().split("\n").at(-1) ?? "";
  return {
    version: null,
    problem: `\`${path}\` could not tell its version: ${said.slice(0, 200)}`,
  };
}

/** The first thing that looks like a version: `codex-cli 0.166.0`, `2.1.325 (Claude Code)`. */
export const readVersion = (text: string): string | null =>
  /\bv?(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(text)?.[1] ?? null;
