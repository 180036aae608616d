// What Adjutant's words for permission become on each agent, from the adapters themselves.

import {
  type AgentCapabilities,
  type PermissionModeFlags,
  writeFlag,
} from "../../../src/agents/run/capabilities.ts";
import { ADAPTERS } from "../../support/agents.ts";
import { writeTable } from "./page-parts.ts";

const WORDS = ["plan", "ask", "allowlist", "auto"];
const code = (text: string): string => (text === "" ? "" : `\`${text}\``);

export function writePermissionTable(): string {
  const rows = ADAPTERS.flatMap(({ name, capabilities }) => {
    const { flags, settings } = capabilities(null);
    if (settings.permission_mode?.to !== "modes") return [];
    const { modes } = settings.permission_mode;
    const own = Object.keys(modes).filter((mode) => !WORDS.includes(mode));
    const cells = WORDS.map((word) => writeMode(flags, modes[word]));
    return [[code(name), ...cells, own.map(code).join(", ")]];
  });
  return writeTable(["agent", ...WORDS.map(code), "its own words"], rows);
}

function writeMode(
  flags: AgentCapabilities["flags"],
  mode: PermissionModeFlags | undefined,
): string {
  const words = mode?.uses.flatMap((use) => writeFlag(flags, use)) ?? [];
  return code(words.join(" "));
}
