// What the session's commands know of the agents. It loads every adapter, so it is loaded when it is asked for.
import { loadAdapters } from "../roster.ts";
import type { AgentAdapter } from "../run/adapter.ts";
import type { CandidateAgent } from "./choice.ts";

export interface AgentCard extends CandidateAgent {
  readonly tools: readonly { readonly name: string; readonly kind: string }[];
}

/** The card of one agent, from its table of capabilities. */
export function cardOf(adapter: AgentAdapter, version: string | null): AgentCard {
  const can = adapter.capabilities(version);
  const capabilities = [
    ...(can.hasTools === false ? [] : ["tools"]),
    ...(can.canResume ? ["resume"] : []),
    ...(can.hasHooks ? ["hooks"] : []),
    ...(can.hasMcp ? ["mcp"] : []),
    ...(can.settings.system_prompt || can.settings.append_system_prompt ? ["system-prompt"] : []),
  ];
  return { name: adapter.name, capabilities, models: can.models, tools: [] };
}

/** The agents that are known, installed or not. */
export const listCards = async (): Promise<AgentCard[]> =>
  (await loadAdapters()).map((adapter) => cardOf(adapter, null));
