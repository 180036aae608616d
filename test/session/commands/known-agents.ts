// The agents that session commands know in a test: none, or those that it names. Real ones list no models.
import { vi } from "vitest";
import type { AgentCard } from "../../../src/agents/choice/cards.ts";
import { type Desk, openDesk } from "../../support/program-of-commands.ts";

let known: readonly AgentCard[] = [];
vi.doMock("../../../src/agents/choice/cards.ts", () => ({ listCards: async () => known }));

export function openDeskWith(agents: readonly AgentCard[]): Desk {
  known = agents;
  return openDesk();
}
