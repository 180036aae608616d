import { fault } from "../../command/fault.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import { claudeCodeFormat } from "./claude-code.ts";
import { codexFormat } from "./codex.ts";
import { copilotFormat } from "./copilot.ts";
import { geminiFormat } from "./gemini.ts";
import type { NativeFormat } from "./native-format.ts";
import { opencodeFormat } from "./opencode.ts";
import { qwenFormat } from "./qwen.ts";

/** Every agent that has commands of its own. */
export const NATIVE_FORMATS: readonly NativeFormat[] = [
  claudeCodeFormat,
  codexFormat,
  geminiFormat,
  qwenFormat,
  copilotFormat,
  opencodeFormat,
];

export function requireFormat(name: string): NativeFormat {
  const found = NATIVE_FORMATS.find(({ agent }) => agent === name);
  if (found !== undefined) return found;
  const names = NATIVE_FORMATS.map(({ agent }) => agent);
  throw fault(
    "AgentUnknown",
    { agent: name, suggestions: nearestNames(name, names) },
    { hint: `commands are known of ${names.map((known) => `\`${known}\``).join(", ")}` },
  );
}
