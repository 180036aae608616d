// The log as youBencha has it, for those who come from there. It knows neither null nor
// `cancelled`: what is unknown is 0 or "unknown", and no exit code is 1, as youBencha itself writes.

import { textOrJson } from "../../core/project/json-value.ts";
import type { ErrorRecord, LogMessage, LogToolCall, RunLog } from "./run-log.ts";

interface YoubenchaLog {
  readonly agent_info: RunLog["agent_info"];
  readonly model_info: {
    readonly name: string;
    readonly provider: string;
    readonly parameters: RunLog["model_info"]["parameters"];
  };
  readonly execution: {
    readonly started_at: string;
    readonly completed_at: string;
    readonly duration_ms: number;
    readonly exit_code: number;
    readonly status: "success" | "failed" | "timeout";
    readonly timed_out: boolean;
  };
  readonly messages: readonly Pick<LogMessage, "role" | "content" | "timestamp">[];
  readonly tool_calls: readonly {
    readonly name: string;
    /** JSON, or the text as printed where the agent gave only text. */
    readonly arguments: string;
    readonly result?: string;
  }[];
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
  };
  readonly errors: readonly ErrorRecord[];
}

export function toYoubenchaLog(log: RunLog): YoubenchaLog {
  const { name, provider, parameters } = log.model_info;
  const { input_tokens, output_tokens, total_tokens } = log.usage;
  return {
    agent_info: log.agent_info,
    model_info: { name: name ?? "unknown", provider: provider ?? "unknown", parameters },
    execution: convertExecution(log),
    messages: log.messages.map(({ role, content, timestamp }) => ({
      role,
      content,
      ...(timestamp === undefined ? {} : { timestamp }),
    })),
    tool_calls: log.tool_calls.map(convertCall),
    usage: {
      input_tokens: input_tokens ?? 0,
      output_tokens: output_tokens ?? 0,
      total_tokens: total_tokens ?? 0,
    },
    errors: log.errors,
  };
}

function convertExecution({ execution }: RunLog): YoubenchaLog["execution"] {
  const { started_at, completed_at, duration_ms, exit_code, status, timed_out } = execution;
  return {
    started_at,
    completed_at,
    duration_ms,
    exit_code: exit_code ?? 1,
    status: status === "cancelled" ? "failed" : status,
    timed_out,
  };
}

const convertCall = (call: LogToolCall): YoubenchaLog["tool_calls"][number] => ({
  name: call.name,
  arguments: textOrJson(call.arguments),
  ...(call.result === undefined ? {} : { result: call.result }),
});
