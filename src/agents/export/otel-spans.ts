// The run as OpenTelemetry spans in OTLP's JSON form, with the attributes of the GenAI conventions:
// one span for the run and one below it for each tool call.
import { createHash } from "node:crypto";
import type { RunLog, ToolCall } from "../run-log.ts";

type Value =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } };

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number; readonly message?: string };
}

export interface OtelExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly Span[];
    }[];
  }[];
}

const INTERNAL = 1;
const OK = 1;
const ERROR = 2;

/** Ids come from the run's own id, so that exporting twice gives the same spans. */
export function toOtelSpans(log: RunLog): OtelExport {
  const traceId = digest(log.run_id, 32);
  const root = describeRun(log, traceId);
  const tools = log.tool_calls.map((call, at) => describeTool(call, at, { log, root }));
  const scope = { name: "adjutant", version: log.environment.adjutant_version };
  const resource = {
    attributes: listAttributes({ "service.name": "adjutant", "host.arch": log.environment.os }),
  };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [root, ...tools] }] }] };
}

function describeRun(log: RunLog, traceId: string): Span {
  const { execution, usage, errors } = log;
  const isSuccess = execution.status === "success";
  return {
    traceId,
    spanId: digest(`${log.run_id} run`, 16),
    name: `invoke_agent ${log.agent_info.name}`,
    kind: INTERNAL,
    startTimeUnixNano: toNanoseconds(execution.started_at),
    endTimeUnixNano: toNanoseconds(execution.completed_at),
    attributes: listAttributes({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": log.model_info.provider,
      "gen_ai.agent.name": log.agent_info.name,
      "gen_ai.conversation.id": log.session.id,
      "gen_ai.response.model": log.model_info.name,
      "gen_ai.usage.input_tokens": usage.input_tokens,
      "gen_ai.usage.output_tokens": usage.output_tokens,
      "gen_ai.response.finish_reasons": log.stop_reason === null ? null : [log.stop_reason],
      "error.type": isSuccess ? null : (errors[0]?.code ?? execution.status),
      "adjutant.run.id": log.run_id,
      "adjutant.cost.usd": log.cost?.usd ?? null,
    }),
    status: isSuccess
      ? { code: OK }
      : { code: ERROR, message: errors[0]?.message ?? execution.status },
  };
}

/** A call without times of its own stands at the beginning of the run, with no length. */
function describeTool(
  call: ToolCall,
  at: number,
  { log, root }: { readonly log: RunLog; readonly root: Span },
): Span {
  const start = toNanoseconds(call.started_at ?? log.execution.started_at);
  const length = BigInt(Math.round((call.duration_ms ?? 0) * 1e6));
  return {
    traceId: root.traceId,
    spanId: digest(`${log.run_id} tool ${at}`, 16),
    parentSpanId: root.spanId,
    name: `execute_tool ${call.name}`,
    kind: INTERNAL,
    startTimeUnixNano: start,
    endTimeUnixNano: String(BigInt(start) + length),
    attributes: listAttributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.name,
      "gen_ai.tool.call.id": call.id,
      "gen_ai.tool.call.arguments": JSON.stringify(call.arguments),
      "gen_ai.tool.call.result": call.result ?? null,
      "error.type": call.is_error === true ? "tool_error" : null,
    }),
    status: { code: call.is_error === true ? ERROR : OK },
  };
}

/** What is not known has no attribute. */
const listAttributes = (values: Readonly<Record<string, Plain | null | undefined>>) =>
  Object.entries(values).flatMap(([key, value]): Attribute[] =>
    value === null || value === undefined ? [] : [{ key, value: describeValue(value) }],
  );

type Plain = string | number | readonly string[];

function describeValue(value: Plain): Value {
  if (typeof value === "object")
    return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const toNanoseconds = (time: string): string => String(BigInt(Date.parse(time)) * 1_000_000n);

const digest = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);
