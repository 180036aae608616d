// What else is there that `adj init` leaves alone: servers and workflows. A line each.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AGENTS } from "../../agents/roster.ts";
import { INSTALL_SCOPES, type InstallContext, isOurServer } from "../../agents/steps/installer.ts";
import { listProjectFiles, readSettingsFile } from "../../agents/steps/settings-layers.ts";
import { listFolder } from "../../core/project/files.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";

export type ShowPath = (file: string) => string;

/** The servers by name alone: their words and variables may hold secrets. */
export async function describeServers(target: InstallContext, show: ShowPath): Promise<string[]> {
  const lines = new Set<string>();
  for (const agent of AGENTS) {
    const mcp = await agent.mcp?.();
    const own = INSTALL_SCOPES.flatMap((scope) => mcp?.configFiles(scope, target) ?? []);
    const files = new Set([...listProjectFiles(agent, target), ...own]);
    for (const file of [...files].filter((one) => /\.(jsonc?|toml)$/.test(one))) {
      const settings = await readSettingsFile(file);
      // Editors that share the agents' files call them `servers`.
      for (const key of [mcp?.key ?? "mcpServers", "servers"])
        for (const [name, server] of Object.entries(asRecord(settings?.[key])))
          if (!isOurServer(asRecord(server)))
            lines.add(`server   ${plainLine(name)} in ${show(file)}`);
    }
  }
  return [...lines].sort();
}

/** Scripts that the agents keep for themselves; `adj workflow` finds them where they lie. */
export function listAgentWorkflows({ env, home, root }: InstallContext): string[] {
  return AGENTS.flatMap(({ workflows }) => {
    const folder = workflows === undefined ? null : join(root, workflows({ env, home }).project);
    if (folder === null || !existsSync(folder)) return [];
    return listFolder(folder)
      .filter((name) => name.endsWith(".js"))
      .sort()
      .map((name) => join(folder, name));
  });
}
