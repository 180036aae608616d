import { selectHookVariables } from "../../resident/hook-variables.ts";
import type { Envelope } from "../envelope.ts";
import type { HookRule } from "../rule.ts";
import type { StepSubject } from "../subject.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The base set and the agent's own, the step's, then the definition's, which win. */
export function handlerEnvironment(
  rule: HookRule,
  { envelope, root }: StepSubject,
  source: Variables,
): Record<string, string> {
  const given = rule.inheritEnv ? definedOnly(source) : selectHookVariables(source);
  // One that an outer step left behind would be that of another tool.
  const { ADJ_TOOL_NAME: _, ...inherited } = given;
  return {
    ...inherited,
    ...stepVariables(envelope),
    [DEPTH]: String(hookDepth(source) + 1),
    ...(rule.protocol === "claude-code" ? { CLAUDE_PROJECT_DIR: root } : {}),
    ...rule.env,
  };
}

function definedOnly(source: Variables): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(source))
    if (value !== undefined) defined[name] = value;
  return defined;
}

const stepVariables = (envelope: Envelope): Record<string, string> => ({
  ADJ_SESSION_ID: envelope.session_id,
  ADJ_CWD: envelope.cwd,
  ADJ_STEP: envelope.step,
  ADJ_AGENT: envelope.agent,
  ADJ_CORRELATION_ID: envelope.correlation_id,
  ...(envelope.tool === undefined ? {} : { ADJ_TOOL_NAME: envelope.tool }),
});

const DEPTH = "ADJ_HOOK_DEPTH";
export const DEEPEST = 4;

/** A handler that calls `adj` may meet its own rule again, for ever. */
export function hookDepth(source: Variables): number {
  const depth = Number(source[DEPTH] ?? 0);
  return Number.isInteger(depth) && depth >= 0 ? depth : DEEPEST;
}
