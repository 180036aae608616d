import type { AgentAdapter } from "../agents/adapter.ts";
import { ROSTER } from "../agents/roster.ts";
import type { AgentCard } from "./program.ts";

/** What the session commands need to know of an agent, from its table of capabilities. */
export function cardOf(adapter: AgentAdapter, version: string | null): AgentCard {
  const can = adapter.capabilities(version);
  const capabilities = [
    ...(adapter.name === "command" ? [] : ["tools"]),
    ...(can.canResume ? ["resume"] : []),
    ...(can.hasHooks ? ["hooks"] : []),
    ...(can.hasMcp ? ["mcp"] : []),
    ...(can.settings.system_prompt || can.settings.append_system_prompt ? ["system-prompt"] : []),
  ];
  return { name: adapter.name, capabilities, models: can.models, tools: [] };
}

export const listCards = (): AgentCard[] => ROSTER.map((adapter) => cardOf(adapter, null));
