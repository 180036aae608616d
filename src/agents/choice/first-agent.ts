// The agent that counts where nobody names one: the first that is found on this machine.
import { fault } from "../../core/command/fault.ts";
import { loadAdapters } from "../roster.ts";
import type { AgentAdapter } from "../run/adapter.ts";
import { type AgentSearch, locateProgram, searchFor } from "../run/availability.ts";

/** In the order of search; what is no program of its own is never found, only named. */
export async function findFirstAgent(search: AgentSearch): Promise<AgentAdapter | null> {
  for (const adapter of await loadCandidates()) {
    const located = await locateProgram(adapter, searchFor(adapter, search));
    if (located.kind === "found") return adapter;
  }
  return null;
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
