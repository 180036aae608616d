import { type Availability, checkAvailability } from "../../agents/availability.ts";
import { pickEnvironment } from "../../agents/pick-environment.ts";
import { ROSTER } from "../../agents/roster.ts";
import type { CommandContext } from "../../command/context.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { formatTable } from "../../command/text-columns.ts";
import { cardOf } from "../agent-cards.ts";
import type { AgentCard, Program } from "../program.ts";
import { screenWidth } from "../screen-width.ts";
import { configuredPath } from "./configured-path.ts";

const COLUMNS = [
  { title: "AGENT" },
  { title: "VERSION" },
  { title: "LOGIN" },
  { title: "CAN", least: 20 },
  { title: "PROGRAM", least: 20 },
] as const;

/** Every agent is asked for its version at the same time; none of them can make this fail. */
export async function listAgents(
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const env = context.env.forChild();
  const settings = await program.settings();
  const agents = await Promise.all(
    ROSTER.map(async (adapter) => {
      const place = { env: pickEnvironment(adapter, env), cwd: context.workingDirectory };
      const path = configuredPath(settings, adapter.name);
      const here = await checkAvailability(adapter, { ...place, configuredPath: path });
      return { ...cardOf(adapter, here.version ?? null), ...here };
    }),
  );
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
