// `adj agent list`: which agents are here, which version, whether they have a login.
import type { CommandContext } from "../../core/command/context.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { cardOf } from "../choice/cards.ts";
import type { AgentCard } from "../choice/choice.ts";
import { loadAdapters } from "../roster.ts";
import {
  type AgentSearch,
  type Availability,
  checkAvailability,
  openAgentSearch,
  searchFor,
} from "../run/availability.ts";

const COLUMNS = [
  { title: "AGENT" },
  { title: "VERSION" },
  { title: "LOGIN" },
  { title: "CAN", least: 10 },
  { title: "PROGRAM", least: 20, cut: "start" },
] as const;

/** Every agent is asked for its version at the same time; none of them can make this fail. */
export async function inspectAgents(search: AgentSearch): Promise<(AgentCard & Availability)[]> {
  const adapters = await loadAdapters();
  return Promise.all(
    adapters.map(async (adapter) => {
      const here = await checkAvailability(adapter, searchFor(adapter, search));
      return { ...cardOf(adapter, here.version ?? null), ...here };
    }),
  );
}

export async function listAgents(
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const agents = await inspectAgents(await openAgentSearch(context, program));
  const lines = formatTable(COLUMNS, agents.map(rowOf), screenWidth(context));
  return ok(lines.join("\n"), { agents });
}

function rowOf({ name, version, authenticated, capabilities, ...here }: AgentCard & Availability) {
  const login = authenticated === true ? "yes" : authenticated === false ? "no" : "unknown";
  return [
    name,
    here.available ? (version ?? "built in") : "not here",
    here.available ? login : "",
    capabilities.join(", "),
    here.available ? (here.path ?? "") : (here.problem ?? ""),
  ];
}
