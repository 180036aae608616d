// A run as OpenTelemetry spans with the attributes of the GenAI conventions (1.41): one span for the
// run and one below it for each tool call. What was said and what tools were given or gave back is
// not in it: the conventions want that only where it is asked for.
import type { ErrorRecord, RunLog, ToolCall } from "../run-log.ts";
import {
  type Attribute,
  idOf,
  KIND_INTERNAL,
  listAttributes,
  type Span,
  type SpanEvent,
  STATUS_ERROR,
  writeNanoseconds,
} from "./otlp.ts";
import { providerName } from "./provider-name.ts";

const SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0";

export interface OtelExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly Span[];
      readonly schemaUrl: string;
    }[];
    readonly schemaUrl: string;
  }[];
}

/** The body of an OTLP request, ready for a collector's `/v1/traces`. */
export function toOtelSpans(log: RunLog): OtelExport {
  const { adjutant_version: version, node_version, os } = log.environment;
  const root = describeRun(log);
  const tools = log.tool_calls.map((call, at) => describeTool(call, at, { log, root }));
  const resource = {
    attributes: listAttributes({
      "service.name": "adjutant",
      "service.version": version,
      "os.description": os,
      "process.runtime.name": "nodejs",
      "process.runtime.version": node_version,
    }),
  };
  const scope = { name: "adjutant", version };
  const scopeSpans = [{ scope, spans: [root, ...tools], schemaUrl: SCHEMA_URL }];
  return { resourceSpans: [{ resource, scopeSpans, schemaUrl: SCHEMA_URL }] };
}

function describeRun(log: RunLog): Span {
  const { execution, run_id, agent_info } = log;
  const error = typeOfFailure(log);
  return {
    traceId: idOf(`trace ${run_id}`, 16),
    spanId: idOf(`run ${run_id}`, 8),
    name: `invoke_agent ${agent_info.name}`.toWellFormed(),
    kind: KIND_INTERNAL,
    ...writeTimes(Date.parse(execution.started_at), Date.parse(execution.completed_at)),
    attributes: listAttributes({
      ...describeRequest(log),
      ...describeUsage(log),
      "error.type": error,
    }),
    events: log.errors.map(describeError),
    status: error === null ? {} : failedWith(log.errors[0]?.message),
  };
}

function describeRequest({ agent_info, model_info, session, run_id, execution }: RunLog) {
  const { name, provider, source, parameters } = model_info;
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": providerName(provider),
    "gen_ai.agent.name": agent_info.name,
    "gen_ai.agent.version": agent_info.version === "unknown" ? null : agent_info.version,
    "gen_ai.conversation.id": session.id,
    "gen_ai.request.model": name,
    "gen_ai.request.max_tokens": asNumber(parameters.max_tokens),
    "gen_ai.request.temperature": asNumber(parameters.temperature),
    "gen_ai.response.model": source === "output" ? name : null,
    "process.exit.code": execution.exit_code,
    "adjutant.run.id": run_id,
  };
}

function describeUsage({ usage, cost, turns, stop_reason }: RunLog) {
  return {
    "gen_ai.response.finish_reasons": stop_reason === null ? null : [stop_reason],
    "gen_ai.usage.input_tokens": usage.input_tokens,
    "gen_ai.usage.output_tokens": usage.output_tokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
    "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
    "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
    "adjutant.turns": turns,
    "adjutant.cost.usd": cost?.usd,
  };
}

const asNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The first error is the cause; those after it follow from it. */
function typeOfFailure({ execution: { status }, errors }: RunLog): string | null {
  if (status === "success") return null;
  return status === "failed" ? (errors[0]?.code ?? "_OTHER") : status;
}

const failedWith = (message: string | undefined): Span["status"] => ({
  code: STATUS_ERROR,
  ...(message === undefined ? {} : { message: message.toWellFormed() }),
});

const describeError = ({ code, message, timestamp, stack_trace }: ErrorRecord): SpanEvent => ({
  timeUnixNano: writeNanoseconds(Date.parse(timestamp)),
  name: "exception",
  attributes: listAttributes({
    "exception.type": code,
    "exception.message": message,
    "exception.stacktrace": stack_trace,
  }),
});

function describeTool(
  call: ToolCall,
  at: number,
  { log, root }: { log: RunLog; root: Span },
): Span {
  const error = typeOfToolFailure(call);
  return {
    traceId: root.traceId,
    spanId: idOf(`tool ${at} ${log.run_id}`, 8),
    parentSpanId: root.spanId,
    name: `execute_tool ${call.name}`.toWellFormed(),
    kind: KIND_INTERNAL,
    ...timesOfTool(call, log),
    attributes: listAttributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.name,
      "gen_ai.tool.call.id": call.id,
      "error.type": error,
      "adjutant.tool.kind": call.kind,
      "adjutant.tool.permission": call.permission,
    }),
    events: [],
    status: error === null ? {} : failedWith(undefined),
  };
}

function typeOfToolFailure({ permission, is_error }: ToolCall): string | null {
  if (permission === "denied") return "permission_denied";
  return is_error === true ? "tool_error" : null;
}

/** A call whose beginning or end is not known has the run's. */
function timesOfTool({ started_at, duration_ms }: ToolCall, { execution }: RunLog) {
  const start = Date.parse(started_at ?? execution.started_at);
  const end =
    started_at === undefined || duration_ms === undefined
      ? Date.parse(execution.completed_at)
      : start + duration_ms;
  return writeTimes(start, end);
}

/** A span never ends before it begins, whatever two clocks say. */
const writeTimes = (start: number, end: number) => ({
  startTimeUnixNano: writeNanoseconds(start),
  endTimeUnixNano: writeNanoseconds(Math.max(start, end)),
});
