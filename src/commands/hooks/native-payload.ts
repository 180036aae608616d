// A step as each agent would write it to its hook.
import type { HookAgent } from "../../hooks/agents/hook-agent.ts";
import type { NativePayload } from "../../hooks/envelope.ts";
import type { StepName } from "../../hooks/step.ts";
import type { ToolCall } from "./tool-call.ts";

export interface NativeStep {
  readonly step: StepName;
  readonly session: string;
  readonly cwd: string;
  readonly time: Date;
  /** At the steps of tools. */
  readonly call: ToolCall | null;
  readonly prompt: string;
  readonly output: string;
}

/** Null where the agent has no such event. */
export function makePayload(
  { name, abilities }: Pick<HookAgent, "name" | "abilities">,
  native: NativeStep,
): NativePayload | null {
  const event = abilities.steps[native.step]?.event;
  if (event === undefined) return null;
  if (name === "copilot") return camelPayload(event, native);
  if (name === "opencode") return pluginPayload(event, native);
  return snakePayload(name, event, native);
}

function snakePayload(agent: string, event: string, native: NativeStep): NativePayload {
  const { session, cwd, time, step } = native;
  return {
    session_id: session,
    transcript_path: null,
    cwd,
    hook_event_name: event,
    ...(agent === "gemini" || agent === "qwen" ? { timestamp: time.toISOString() } : {}),
    ...(agent === "gemini" ? {} : { permission_mode: "default" }),
    ...(agent === "codex" ? { turn_id: session, model: "unknown" } : {}),
    ...snakeFields(agent, native),
    ...(step === "before_turn_end" || step === "subagent_end" ? { stop_hook_active: false } : {}),
  };
}

function snakeFields(agent: string, native: NativeStep): NativePayload {
  const { step, session, call, prompt, output } = native;
  switch (step) {
    case "before_prompt":
      return { prompt };
    case "before_tool":
    case "before_permission":
      return { tool_name: call?.tool, tool_input: call?.args, tool_use_id: session };
    case "after_tool":
      return {
        ...{ tool_name: call?.tool, tool_input: call?.args, tool_use_id: session },
        tool_response: toolResponse(agent, output),
      };
    default:
      return otherFields(step);
  }
}

function otherFields(step: StepName): NativePayload {
  switch (step) {
    case "session_start":
      return { source: "startup" };
    case "before_compact":
    case "after_compact":
      return { trigger: "auto" };
    case "subagent_start":
    case "subagent_end":
      return { agent_id: "a-1", agent_type: "general-purpose" };
    case "notification":
      return { message: "waiting for your input" };
    case "session_end":
      return { reason: "other" };
    default:
      return {};
  }
}

function toolResponse(agent: string, output: string): unknown {
  if (agent === "codex") return output;
  if (agent === "claude-code") return { stdout: output, stderr: "", interrupted: false };
  return { llmContent: output, returnDisplay: output };
}

/** The event is known by the fields alone, but for permission requests. */
function camelPayload(event: string, native: NativeStep): NativePayload {
  const { session, cwd, time, step, call, prompt, output } = native;
  const base = { sessionId: session, timestamp: time.getTime(), cwd };
  const tool = { toolName: call?.tool, toolArgs: call?.args };
  switch (step) {
    case "session_start":
      return { ...base, source: "new" };
    case "before_prompt":
      return { ...base, prompt };
    case "before_tool":
      return { ...base, ...tool };
    case "before_permission":
      return { ...base, hookName: event, toolName: call?.tool, toolInput: call?.args };
    case "after_tool":
      return {
        ...base,
        ...tool,
        toolResult: { resultType: "success", textResultForLlm: output },
      };
    default:
      return { ...base, ...camelFields(step) };
  }
}

function camelFields(step: StepName): NativePayload {
  switch (step) {
    case "before_turn_end":
      return { stopReason: "end_turn" };
    case "subagent_start":
      return { agentName: "general-purpose" };
    case "subagent_end":
      return { agentName: "general-purpose", stopReason: "end_turn" };
    default:
      return otherFields(step);
  }
}

function pluginPayload(event: string, native: NativeStep): NativePayload {
  const { session, cwd, step, call, prompt, output } = native;
  return {
    event,
    session_id: session,
    cwd,
    ...(step === "session_start" ? { source: "startup" } : {}),
    ...(step === "before_prompt" ? { prompt } : {}),
    ...(call === null ? {} : { tool: call.tool, call_id: session, args: call.args }),
    ...(step === "after_tool" ? { output, is_error: false } : {}),
    ...(step === "before_turn_end" ? { continues_so_far: 0 } : {}),
  };
}
