import { fault } from "../command/fault.ts";
import { nearestNames } from "../command/nearest-names.ts";
import { acp } from "./acp/adapter.ts";
import type { AgentAdapter } from "./adapter.ts";
import { claudeCode } from "./claude-code/adapter.ts";
import { codex } from "./codex/adapter.ts";
import { command } from "./command/adapter.ts";
import { copilot } from "./copilot/adapter.ts";
import { gemini } from "./gemini/adapter.ts";
import { opencode } from "./opencode/adapter.ts";
import { qwen } from "./qwen/adapter.ts";
import { replay } from "./replay/adapter.ts";

/** Every agent there is, in the order in which one is looked for. */
export const ROSTER: readonly AgentAdapter[] = [
  claudeCode,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
  acp,
  command,
  replay,
];

/** The agent of this name, or a fault that names the nearest ones. */
export function requireAgent(name: string): AgentAdapter {
  const adapter = ROSTER.find((known) => known.name === name);
  if (adapter !== undefined) return adapter;
  const names = ROSTER.map((known) => known.name);
  throw fault(
    "AgentUnknown",
    { agent: name, suggestions: nearestNames(name, names) },
    { hint: "list all with `adj agent list`" },
  );
}
