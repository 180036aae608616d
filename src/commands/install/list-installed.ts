import type { CommandContext } from "../../command/context.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { formatTable } from "../../command/text-columns.ts";
import { INSTALL_SCOPES } from "../../hooks/install/installer.ts";
import { lookAtHooks } from "../../hooks/install/look.ts";
import { requireInstaller } from "../../hooks/install/roster.ts";
import type { Program } from "../program.ts";
import { screenWidth } from "../screen-width.ts";
import { findAgents } from "./found-agents.ts";
import { placeOf } from "./target.ts";

const COLUMNS = [
  { title: "AGENT" },
  { title: "VERSION" },
  { title: "USER" },
  { title: "PROJECT" },
  { title: "PROGRAM", least: 20 },
] as const;

/** What is here and what could be installed. */
export async function listInstalled(
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const place = placeOf(context, program);
  const agents = (await findAgents(context, program)).map((found) => {
    const installer = requireInstaller(found.agent);
    const [user, project] = INSTALL_SCOPES.map((scope) => {
      const { file, kind } = lookAtHooks(installer, scope, place);
      return { file, state: kind };
    });
    return { ...found, user, project };
  });
  const rows = agents.map(({ agent, isFound, version, program: path, user, project }) => [
    agent,
    isFound ? (version ?? "") : "not here",
    user?.state ?? "",
    project?.state ?? "",
    path,
  ]);
  const lines = formatTable(COLUMNS, rows, screenWidth(context));
  return ok([...lines, "install with `adj install AGENT`"].join("\n"), { agents });
}
