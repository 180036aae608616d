// The agent that counts where nobody names one: the first that is found on this machine.
import { fault } from "../../core/command/fault.ts";
import { isProgramNamed } from "../../core/process/find-program.ts";
import type { Agent } from "../agent.ts";
import { AGENTS_BY_SEARCH, loadAdapters } from "../roster.ts";
import type { AgentAdapter } from "../run/adapter.ts";
import {
  type AgentSearch,
  configuredPath,
  locateProgram,
  programVariable,
  searchFor,
} from "../run/availability.ts";

/** In the order of search; what is no program of its own is never found, only named. */
export async function findFirstAgent(search: AgentSearch): Promise<AgentAdapter | null> {
  for (const agent of AGENTS_BY_SEARCH) {
    if (!mayBeHere(agent, search)) continue;
    const adapter = await agent.run();
    if (adapter.program === null) continue;
    const located = await locateProgram(adapter, searchFor(adapter, search));
    if (located.kind === "found") return adapter;
  }
  return null;
}

/** To load an agent that is not here takes longer than to look for what it is called: one of these is its program's name. */
function mayBeHere({ name, aliases }: Agent, { env, cwd, settings }: AgentSearch): boolean {
  if (configuredPath(settings, name) || env[programVariable(name)]) return true;
  return [name, ...aliases].some((word) => isProgramNamed(word, { path: env.PATH, cwd }));
}

export async function requireFirstAgent(search: AgentSearch): Promise<AgentAdapter> {
  const found = await findFirstAgent(search);
  if (found !== null) return found;
  const candidates = await loadCandidates();
  const programs = candidates.map(({ program: name }) => `\`${name}\``).join(", ");
  const [first] = candidates;
  throw fault(
    "NoneFound",
    { programs },
    { hint: `install one, such as with \`${first?.installHint}\`, or name one with \`--agent\`` },
  );
}

const loadCandidates = async (): Promise<AgentAdapter[]> =>
  (await loadAdapters()).filter((adapter) => adapter.program !== null);
