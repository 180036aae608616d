// A run as OpenTelemetry spans with the attributes of the GenAI conventions (1.41): one span for the
// run and one below it for each tool call. What was said and what tools were given or gave back is
// not in it: the conventions want that only where it is asked for.
import { sha256 } from "../../core/project/fingerprint.ts";
import type { ErrorRecord, LogToolCall, RunLog } from "./run-log.ts";

const SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0";

interface OtelExport {
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
  call: LogToolCall,
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

function typeOfToolFailure({ permission, is_error }: LogToolCall): string | null {
  if (permission === "denied") return "permission_denied";
  return is_error === true ? "tool_error" : null;
}

/** A call whose beginning or end is not known has the run's. */
function timesOfTool({ started_at, duration_ms }: LogToolCall, { execution }: RunLog) {
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

// The parts of OTLP in its JSON form: ids in hex, 64-bit numbers as text, kinds and codes as numbers.

type AttributeValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AttributeValue[] } };

export interface Attribute {
  readonly key: string;
  readonly value: AttributeValue;
}

interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly SpanEvent[];
  readonly status: { readonly code?: number; readonly message?: string };
}

const KIND_INTERNAL = 1;
const STATUS_ERROR = 2;

type Plain = string | number | readonly string[];

/** What is not known has no attribute. */
const listAttributes = (
  values: Readonly<Record<string, Plain | null | undefined>>,
): readonly Attribute[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: writeValue(value) }],
  );

function writeValue(value: Plain): AttributeValue {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value !== "number") return { arrayValue: { values: value.map(writeValue) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** The same name gives the same id, so that exporting a run twice gives the same spans. */
const idOf = (name: string, bytes: 8 | 16): string => sha256(name).slice(0, bytes * 2);

/** The last millisecond whose nanoseconds fit 64 bits, in the year 2554. */
const LAST_MILLISECOND = 18_446_744_073_708;

/** Milliseconds since the epoch as nanoseconds, within what the format can say. */
function writeNanoseconds(milliseconds: number): string {
  const within = Math.min(Math.max(milliseconds, 0), LAST_MILLISECOND);
  const whole = Math.floor(within);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((within - whole) * 1e6)));
}

// Who serves the model, in the words of the conventions where they have one.
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["bedrock", "aws.bedrock"],
  ["vertex", "gcp.vertex_ai"],
  ["google", "gcp.gen_ai"],
  ["gemini", "gcp.gemini"],
  ["azure", "azure.ai.openai"],
  ["mistral", "mistral_ai"],
  ["moonshot", "moonshot_ai"],
  ["xai", "x_ai"],
]);

/** The conventions require a name, also where nobody said one. */
export function providerName(provider: string | null): string {
  if (provider === null) return "unknown";
  const name = provider.toLowerCase();
  return WELL_KNOWN.get(name) ?? name;
}
