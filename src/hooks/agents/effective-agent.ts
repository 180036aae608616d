// Who is really asking. Copilot CLI also reads a project's `.claude/settings.json`, so an entry made for Claude Code
// is called by Copilot, which takes its own answers only.
import { asName } from "../../agents/json-fields.ts";
import type { NativePayload } from "../envelope.ts";

export interface EffectiveAgent {
  readonly name: string;
  /** Called through another agent's entry: where the asking one has an entry of its own, nothing is to be said. */
  readonly isBorrowed: boolean;
}

export function effectiveAgent(
  name: string,
  payload: NativePayload,
  env: Readonly<Record<string, string | undefined>>,
): EffectiveAgent {
  const isBorrowed = name === "claude-code" && env.COPILOT_CLI === "1" && !isClaudes(payload, env);
  return isBorrowed ? { name: "copilot", isBorrowed } : { name, isBorrowed };
}

/** Variables are inherited: a Claude Code started by Copilot sees both agents' and is known by its session. */
const isClaudes = (payload: NativePayload, env: Readonly<Record<string, string | undefined>>) =>
  asName(env.CLAUDE_CODE_SESSION_ID) !== null && env.CLAUDE_CODE_SESSION_ID === payload.session_id;
