// A step as an agent would write it to its hook, to try the hook with: `adj hooks test`, `adj doctor`.
import type { NativePayload } from "../../core/step/envelope.ts";
import { isTurnEnd, type StepName } from "../../core/step/step.ts";
import type { NativeToolCall } from "./read-step.ts";

export interface SampleStep {
  readonly step: StepName;
  readonly session: string;
  readonly cwd: string;
  readonly time: Date;
  /** At the steps of tools. */
  readonly call: NativeToolCall | null;
  readonly prompt: string;
  readonly output: string;
}

/** `event` is the agent's own name of the step. */
export type WriteSample = (event: string, sample: SampleStep) => NativePayload;

interface SnakeSampleOptions {
  /** The fields that this agent has at every event. */
  ownFields(sample: SampleStep): NativePayload;
  /** A tool's result as this agent has it. */
  toolResponse(output: string): unknown;
}

/** For agents with snake_case fields and the event's name in `hook_event_name`. */
export const snakeSample =
  ({ ownFields, toolResponse }: SnakeSampleOptions): WriteSample =>
  (event, sample) => {
    const { session, cwd, step, output } = sample;
    return {
      session_id: session,
      transcript_path: null,
      cwd,
      hook_event_name: event,
      ...ownFields(sample),
      ...stepFields(sample),
      ...(step === "after_tool" ? { tool_response: toolResponse(output) } : {}),
      ...(isTurnEnd(step) ? { stop_hook_active: false } : {}),
    };
  };

function stepFields({ step, session, call, prompt }: SampleStep): NativePayload {
  switch (step) {
    case "before_prompt":
      return { prompt };
    case "before_tool":
    case "before_permission":
    case "after_tool":
      return { tool_name: call?.tool, tool_input: call?.args, tool_use_id: session };
    default:
      return sampleFields(step);
  }
}

/** What most agents say of a step that is neither a prompt nor a tool's. */
export function sampleFields(step: StepName): NativePayload {
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
