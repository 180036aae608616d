// The one record of an agent's run, whatever agent it was. This schema is what is published; the
// types are read off it, so the two cannot drift apart.
import * as z from "zod/mini";
import { TOOL_KINDS } from "../../core/step/envelope.ts";

export const RUN_LOG_VERSION = 1;

const timestamp = z.iso.datetime();
const nullable = {
  count: z.nullable(z.int().check(z.nonnegative())),
  text: z.nullable(z.string()),
};
const optional = { timestamp: z.exactOptional(timestamp), text: z.exactOptional(z.string()) };

const execution = z.strictObject({
  started_at: timestamp,
  completed_at: timestamp,
  duration_ms: z.number().check(z.nonnegative()),
  exit_code: z.nullable(z.int()),
  signal: optional.text,
  status: z.enum(["success", "failed", "timeout", "cancelled"]),
  timed_out: z.boolean(),
});

const message = z.strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  timestamp: optional.timestamp,
  /** The tool call this message belongs to: a sub-agent's words, or a tool's answer. */
  parent: optional.text,
});

const toolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(TOOL_KINDS),
  /** The agent's own JSON value, or the text as printed where it gave only text. */
  arguments: z.unknown(),
  result: optional.text,
  is_error: z.exactOptional(z.boolean()),
  started_at: optional.timestamp,
  duration_ms: z.exactOptional(z.number().check(z.nonnegative())),
  permission: z.exactOptional(z.enum(["allowed", "denied"])),
});

const usage = z.strictObject({
  /** All input, cache reads and writes included. */
  input_tokens: nullable.count,
  /** All output, reasoning included. */
  output_tokens: nullable.count,
  cache_read_tokens: nullable.count,
  cache_write_tokens: nullable.count,
  reasoning_tokens: nullable.count,
  total_tokens: nullable.count,
  source: z.enum(["output", "estimated", "unknown"]),
});

const errorRecord = z.strictObject({
  message: z.string().check(z.minLength(1)),
  timestamp,
  code: z.string().check(z.regex(/^[A-Z][A-Z0-9_]*$/)),
  stack_trace: optional.text,
  context: z.exactOptional(z.record(z.string(), z.unknown())),
});

/**
 * The schema of a log, to check one that comes from outside.
 *
 * @example
 * const { success } = RUN_LOG.safeParse(JSON.parse("{}"));
 */
export const RUN_LOG = z.strictObject({
  version: z.literal(RUN_LOG_VERSION),
  run_id: z.string().check(z.minLength(1)),
  agent_info: z.strictObject({
    name: z.string(),
    version: z.string(),
    adapter_version: z.string(),
  }),
  model_info: z.strictObject({
    name: nullable.text,
    provider: nullable.text,
    parameters: z.record(z.string(), z.unknown()),
    source: z.enum(["output", "config", "unknown"]),
  }),
  /** The command that ran; null where none was started. Logs of version 0.1 do not have it. */
  command: z._default(
    z.nullable(z.strictObject({ executable: z.string(), args: z.array(z.string()) })),
    null,
  ),
  execution,
  messages: z.array(message),
  tool_calls: z.array(toolCall),
  /** The tools that the agent said it has; absent where it does not say, and in logs of version 0.3 and before. */
  tools: z.exactOptional(z.array(z.string())),
  usage,
  cost: z.nullable(
    z.strictObject({
      usd: z.number().check(z.nonnegative()),
      source: z.enum(["output", "estimated"]),
    }),
  ),
  turns: nullable.count,
  stop_reason: nullable.text,
  session: z.strictObject({ id: nullable.text, resumable: z.boolean() }),
  files_changed: z.array(z.string()),
  errors: z.array(errorRecord),
  environment: z.strictObject({
    os: z.string(),
    node_version: z.string(),
    adjutant_version: z.string(),
    working_directory: z.string(),
  }),
});

type Frozen<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value;

export type RunLog = Frozen<z.infer<typeof RUN_LOG>>;
export type Execution = Frozen<z.infer<typeof execution>>;
export type LogMessage = Frozen<z.infer<typeof message>>;
export type LogToolCall = Frozen<z.infer<typeof toolCall>>;
export type RunUsage = Frozen<z.infer<typeof usage>>;
export type ErrorRecord = Frozen<z.infer<typeof errorRecord>>;

/** The published schema of a run's log. */
export function runLogJsonSchema(): object {
  return {
    ...z.toJSONSchema(RUN_LOG, { io: "input" }),
    title: "Adjutant run log",
    description: "One run of a coding agent. What the agent did not say is null, never zero.",
  };
}

/** What the agent said to the person, without the words of its sub-agents. */
export const answerText = ({ messages }: Pick<RunLog, "messages">): string =>
  messages
    .filter(({ role, parent }) => role === "assistant" && parent === undefined)
    .map(({ content }) => content)
    .join("\n");
