// Every agent there is, a line each: the only list of them. It is on the way of each tool call, so nothing of an
// agent but its description is loaded here; a facet is loaded when somebody asks for it.
import { fault, type Where } from "../core/command/fault.ts";
import { nearestNames, quoteNames } from "../core/command/names.ts";
import type { AgentSigns } from "../core/dispatch/below-agent.ts";
import type { AgentWords } from "../core/project/settings.ts";
import type { NativePayload } from "../core/step/envelope.ts";
import { acp } from "./acp/agent.ts";
import type { Agent } from "./agent.ts";
import { claudeCode } from "./claude-code/agent.ts";
import { codex } from "./codex/agent.ts";
import { commandAgent } from "./command/agent.ts";
import { copilot } from "./copilot/agent.ts";
import { gemini } from "./gemini/agent.ts";
import type { NativeFormat } from "./native/format.ts";
import { opencode } from "./opencode/agent.ts";
import { qwen } from "./qwen/agent.ts";
import { replay } from "./replay/agent.ts";
import type { AgentAdapter } from "./run/adapter.ts";
import type { HookAgent } from "./steps/hook-agent.ts";
import type { HookInstaller, McpInstaller } from "./steps/installer.ts";

export const AGENTS: readonly Agent[] = [
  claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  acp,
  commandAgent,
  replay,
];

/** In the order in which one is looked for. */
export const AGENTS_BY_SEARCH: readonly Agent[] = AGENTS.toSorted(
  (one, other) => one.searchOrder - other.searchOrder,
);

/** The agents' own variables that say where they keep their files. */
export const HOME_VARIABLES: readonly string[] = AGENTS.flatMap((agent) => agent.homeVariables);

/** The programs of agents that people start by hand. */
export const AGENT_PROGRAMS: ReadonlySet<string> = new Set(
  AGENTS.filter(({ hooks }) => hooks !== undefined).flatMap(({ name, aliases }) => [
    name,
    ...aliases,
  ]),
);

/** By what a process is known for an agent's, or for one that an agent started. */
export const AGENT_SIGNS: AgentSigns = {
  marks: AGENTS.flatMap((agent) => agent.marks),
  programs: AGENT_PROGRAMS,
  packages: AGENTS.flatMap((agent) => agent.packages ?? []),
};

/** What agents tell their hooks by variables; one may use a variable of another. */
export const HOOK_VARIABLES: readonly string[] = [
  ...new Set(AGENTS.flatMap((agent) => agent.hookVariables)),
];

/** Null where no agent has this name; an alias is none. */
export const findAgent = (name: string): Agent | null =>
  AGENTS.find((agent) => agent.name === name) ?? null;

/** The name of the agent that a person means by it or by an alias; what no agent is called stays as it is. */
export const agentNameOf = (word: string): string =>
  AGENTS.find(({ aliases }) => aliases.includes(word))?.name ?? word;

/** Everything that an agent is called, with its name. */
export const AGENT_WORDS: AgentWords = Object.fromEntries(
  AGENTS_BY_SEARCH.flatMap(({ name, aliases }) => [name, ...aliases].map((word) => [word, name])),
);

const findMeant = (word: string): Agent | null => findAgent(agentNameOf(word));

type Facet = "run" | "tools" | "hooks" | "install" | "mcp" | "nativeCommands" | "sim";

/** The agents that have the facet, by name. */
export const namesWith = (facet: Facet): string[] =>
  AGENTS.filter((agent) => agent[facet] !== undefined).map(({ name }) => name);

/** The agent whose hooks are meant where nobody names one. */
export const DEFAULT_HOOK_AGENT: string = namesWith("hooks")[0] ?? "";

/** The adapters of all agents, in the order in which one is looked for. */
export const loadAdapters = (): Promise<AgentAdapter[]> =>
  Promise.all(AGENTS_BY_SEARCH.map(({ run }) => run()));

/**
 * The adapter of this name or alias, or a fault that names the nearest ones, and the place of the name where it is in a file.
 *
 * @example
 * const { capabilities } = await requireAdapter("codex");
 * console.log(capabilities(null).canResume);
 */
export async function requireAdapter(name: string, where?: Where): Promise<AgentAdapter> {
  return requireAgent(name, where).run();
}

/** As `requireAdapter`, for what is only looked at. */
export function requireAgent(name: string, where?: Where): Agent {
  const agent = findMeant(name);
  if (agent !== null) return agent;
  const names = AGENTS_BY_SEARCH.map((known) => known.name);
  throw unknownAgent(name, names, "list all with `adj agent list`", where);
}

export const findHookAgent = async (name: string): Promise<HookAgent | null> =>
  (await findAgent(name)?.hooks?.()) ?? null;

/** For names that come from our own tables. */
export async function requireHookAgent(name: string): Promise<HookAgent> {
  const agent = await findHookAgent(name);
  if (agent === null) throw new TypeError(`no hook agent is named ${name}`);
  return agent;
}

/** The installers of every agent whose hooks can lead to Adjutant. */
export const loadInstallers = (): Promise<HookInstaller[]> =>
  Promise.all(AGENTS.flatMap(({ install }) => (install === undefined ? [] : [install()])));

export async function requireInstaller(name: string): Promise<HookInstaller> {
  const found = await findMeant(name)?.install?.();
  if (found !== undefined) return found;
  const names = namesWith("install");
  throw unknownAgent(name, names, `hooks can be installed for ${quoteNames(names)}`);
}

/** Where every agent that starts MCP servers keeps them. */
export const loadMcpInstallers = (): Promise<McpInstaller[]> =>
  Promise.all(AGENTS.flatMap(({ mcp }) => (mcp === undefined ? [] : [mcp()])));

export const findMcpInstaller = async (name: string): Promise<McpInstaller | null> =>
  (await findAgent(name)?.mcp?.()) ?? null;

/** The formats of every agent that has commands of its own. */
export const loadFormats = (): Promise<NativeFormat[]> =>
  Promise.all(
    AGENTS.flatMap(({ nativeCommands }) =>
      nativeCommands === undefined ? [] : [nativeCommands()],
    ),
  );

export async function requireFormat(name: string): Promise<NativeFormat> {
  const found = await findMeant(name)?.nativeCommands?.();
  if (found !== undefined) return found;
  const names = namesWith("nativeCommands");
  throw unknownAgent(name, names, `commands are known of ${quoteNames(names)}`);
}

const unknownAgent = (agent: string, names: readonly string[], hint: string, where?: Where) =>
  fault(
    "AgentUnknown",
    { agent, suggestions: nearestAgents(agent, names) },
    where === undefined ? { hint } : { hint, where },
  );

/** An agent is also near by a name that people have for it: `claud` by `claude`. */
export function nearestAgents(word: string, names: readonly string[]): readonly string[] {
  const byAlias = new Map(
    AGENTS.filter(({ name }) => names.includes(name)).flatMap(({ name, aliases }) =>
      [name, ...aliases].map((one) => [one, name] as const),
    ),
  );
  return [
    ...new Set(nearestNames(word, [...byAlias.keys()]).map((one) => byAlias.get(one) ?? one)),
  ];
}

// Who is really asking: an agent that reads another one's entries calls by the other's name.

type Variables = Readonly<Record<string, string | undefined>>;

interface EffectiveAgent {
  readonly name: string;
  /** Called through another agent's entry: where the asking one has an entry of its own, nothing is to be said. */
  readonly isBorrowed: boolean;
}

export function effectiveAgent(
  name: string,
  payload: NativePayload,
  env: Variables,
): EffectiveAgent {
  const borrower = AGENTS.find(
    ({ borrows }) => borrows?.agent === name && env[borrows.variable] === borrows.value,
  );
  const isBorrowed = borrower !== undefined && !isOwnSession(findAgent(name), payload, env);
  return isBorrowed ? { name: borrower.name, isBorrowed } : { name, isBorrowed };
}

/** Variables are inherited: an agent that the borrower started sees both agents' and is known by its session. */
function isOwnSession(agent: Agent | null, payload: NativePayload, env: Variables): boolean {
  const session = env[agent?.sessionVariable ?? ""] ?? "";
  return session !== "" && session === payload.session_id;
}
