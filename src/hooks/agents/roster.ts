// Every agent whose hooks are known. All of it is on the way of each tool call: nothing here may load a parser.
import { claudeCodeHooks } from "./claude-code/codec.ts";
import { codexHooks } from "./codex/codec.ts";
import { copilotHooks } from "./copilot/codec.ts";
import { geminiHooks } from "./gemini/codec.ts";
import type { HookAgent } from "./hook-agent.ts";
import { opencodeHooks } from "./opencode/codec.ts";
import { qwenHooks } from "./qwen/codec.ts";

const HOOK_AGENTS: readonly HookAgent[] = [
  claudeCodeHooks,
  codexHooks,
  geminiHooks,
  qwenHooks,
  copilotHooks,
  opencodeHooks,
];

export const hookAgentNames = (): readonly string[] => HOOK_AGENTS.map(({ name }) => name);

export const findHookAgent = (name: string): HookAgent | null =>
  HOOK_AGENTS.find((agent) => agent.name === name) ?? null;

/** For names that come from our own tables. */
export function requireHookAgent(name: string): HookAgent {
  const agent = findHookAgent(name);
  if (agent === null) throw new TypeError(`no hook agent is named ${name}`);
  return agent;
}
