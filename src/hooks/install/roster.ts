import { fault } from "../../command/fault.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import { claudeCodeInstaller } from "../agents/claude-code/install.ts";
import { codexInstaller } from "../agents/codex/install.ts";
import { copilotInstaller } from "../agents/copilot/install.ts";
import { geminiInstaller } from "../agents/gemini/install.ts";
import { opencodeInstaller } from "../agents/opencode/install.ts";
import { qwenInstaller } from "../agents/qwen/install.ts";
import type { HookInstaller } from "./installer.ts";

/** Every agent whose hooks can lead to Adjutant. */
export const INSTALLERS: readonly HookInstaller[] = [
  claudeCodeInstaller,
  codexInstaller,
  geminiInstaller,
  qwenInstaller,
  copilotInstaller,
  opencodeInstaller,
];

export function requireInstaller(name: string): HookInstaller {
  const found = INSTALLERS.find(({ agent }) => agent === name);
  if (found !== undefined) return found;
  const names = INSTALLERS.map(({ agent }) => agent);
  throw fault(
    "AgentUnknown",
    { agent: name, suggestions: nearestNames(name, names) },
    { hint: `hooks can be installed for ${names.map((known) => `\`${known}\``).join(", ")}` },
  );
}
