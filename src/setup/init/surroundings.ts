// What else is there that `adj init` leaves alone: servers and workflows. A line each.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { asRecord } from "../../agents/log/json-fields.ts";
import { AGENTS } from "../../agents/roster.ts";
import type { InstallContext } from "../../agents/steps/installer.ts";
import { listProjectFiles } from "../../agents/steps/settings-layers.ts";
import { listFolder, readText } from "../../core/project/files.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";

export type ShowPath = (file: string) => string;

/** The servers by name alone: their words and variables may hold secrets. */
export async function describeServers(place: InstallContext, show: ShowPath): Promise<string[]> {
  const { parse } = await import("jsonc-parser");
  const files = new Set(AGENTS.flatMap((agent) => listProjectFiles(agent, place)));
  return [...files]
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap((file) => {
      const settings = asRecord(parse(readText(file) ?? "", [], { allowTrailingComma: true }));
      return ["mcpServers", "servers"]
        .flatMap((key) => Object.entries(asRecord(settings[key])))
        .filter(([, server]) => !isWrapped(asRecord(server)))
        .map(([name]) => `server   ${plainLine(name)} in ${show(file)}`);
    });
}

const isWrapped = ({ command, args }: Readonly<Record<string, unknown>>): boolean =>
  /(?:^|\/)adj$/.test(String(command)) && Array.isArray(args) && args[0] === "mcp";

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
