// The log as youBencha writes it, for those who come from there. Unknown token counts are 0 in it.
import type { RunLog } from "../run-log.ts";

export interface YoubenchaLog {
  readonly agent_info: RunLog["agent_info"];
  readonly model_info: {
    readonly name: string;
    readonly provider: string;
    readonly parameters: RunLog["model_info"]["parameters"];
  };
  readonly execution: RunLog["execution"];
  readonly messages: RunLog["messages"];
  readonly tool_calls: readonly {
    readonly name: string;
    readonly arguments: unknown;
    readonly result?: string;
  }[];
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
  };
  readonly errors: RunLog["errors"];
}

export function toYoubenchaLog(log: RunLog): YoubenchaLog {
  const { name, provider, parameters } = log.model_info;
  return {
    agent_info: log.agent_info,
    model_info: { name: name ?? "unknown", provider: provider ?? "unknown", parameters },
    execution: log.execution,
    messages: log.messages,
    tool_calls: log.tool_calls.map(({ name: tool, arguments: given, result }) => ({
      name: tool,
      arguments: given,
      ...(result === undefined ? {} : { result }),
    })),
    usage: {
      input_tokens: log.usage.input_tokens ?? 0,
      output_tokens: log.usage.output_tokens ?? 0,
      total_tokens: log.usage.total_tokens ?? 0,
    },
    errors: log.errors,
  };
}
