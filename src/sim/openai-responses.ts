// OpenAI's Responses protocol, as the scripted model speaks it.
import * as z from "zod/mini";
import { CREATED, describeOpenAiError, isSystem, listOpenAiModels } from "./openai-chat.ts";
import { findStrictProblem } from "./strict-schema.ts";
import {
  type AnswerToolCall,
  type AnswerUsage,
  type Frame,
  jsonFrame,
  type ModelAnswer,
  type ModelRequest,
  type OfferedTool,
  type RequestFacts,
  type SentMessage,
  splitText,
  valueSchema,
  type Wire,
} from "./wire.ts";

export const responsesWire: Wire = {
  name: "openai-responses",
  parseRequest: parseResponsesRequest,
  streamAnswer: streamResponsesAnswer,
  wholeAnswer: wholeResponsesAnswer,
  findProblem: findStrictProblem,
  describeError: describeOpenAiError,
  describeTokenCount: (input_tokens) => ({ object: "response.input_tokens", input_tokens }),
  listModels: listOpenAiModels,
};

const part = z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const parts = z.union([z.string(), z.array(part)]);

const item = z.looseObject({
  type: z.optional(z.string()),
  role: z.optional(z.string()),
  content: z.optional(z.nullable(parts)),
  output: z.optional(z.unknown()),
});

const tool = z.looseObject({
  type: z.string(),
  name: z.optional(z.string()),
  parameters: z.optional(valueSchema),
});

const requestSchema = z.looseObject({
  model: z.optional(z.string()),
  stream: z.optional(z.nullable(z.boolean())),
  instructions: z.optional(z.nullable(z.string())),
  input: z.union([z.string(), z.array(item)]),
  tools: z.optional(z.nullable(z.array(tool))),
  text: z.optional(
    z.nullable(
      z.looseObject({ format: z.optional(z.looseObject({ schema: z.optional(valueSchema) })) }),
    ),
  ),
});
type Item = z.output<typeof item>;

function parseResponsesRequest(body: unknown, facts: RequestFacts): ModelRequest | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  const items: Item[] =
    typeof data.input === "string" ? [{ role: "user", content: data.input }] : data.input;
  return {
    wire: "openai-responses",
    agent: facts.agent,
    model: data.model ?? null,
    isStreaming: data.stream ?? false,
    system: [data.instructions ?? "", ...items.filter(isSystem).map(readContent)].join("\n"),
    messages: items.filter((entry) => !isSystem(entry)).map(readItem),
    tools: (data.tools ?? []).flatMap(readTool),
    answerSchema: data.text?.format?.schema ?? null,
  };
}

function readTool({ type, name, parameters }: z.output<typeof tool>): OfferedTool[] {
  if (name === undefined) return [];
  return [{ name, takesText: type === "custom", parameters: parameters ?? {} }];
}

function readItem(entry: Item): SentMessage {
  const type = entry.type ?? "message";
  if (type.endsWith("_output")) return { role: "tool", text: readOutput(entry.output) };
  if (type === "message" && entry.role !== "assistant")
    return { role: "user", text: readContent(entry) };
  return { role: "assistant", text: readContent(entry) };
}

function readOutput(output: unknown): string {
  const parsed = parts.safeParse(output);
  if (parsed.success) return joinParts(parsed.data);
  return JSON.stringify(output) ?? "";
}

const readContent = ({ content }: Item): string => joinParts(content ?? "");

const joinParts = (content: z.output<typeof parts>): string =>
  typeof content === "string"
    ? content
    : content.map(({ type, text }) => text ?? `[${type}]`).join("\n");

function wholeResponsesAnswer(answer: ModelAnswer): unknown {
  return buildResponse(answer, true);
}

function streamResponsesAnswer(answer: ModelAnswer): Frame[] {
  const events: WireEvent[] = [
    { type: "response.created", response: buildResponse(answer, false) },
    { type: "response.in_progress", response: buildResponse(answer, false) },
    ...buildItems(answer).flatMap(({ opened, done, events: inner }, output_index) => [
      { type: "response.output_item.added", output_index, item: opened },
      ...inner.map((event) => ({ ...event, output_index })),
      { type: "response.output_item.done", output_index, item: done },
    ]),
    { type: "response.completed", response: buildResponse(answer, true) },
  ];
  return events.map((event, sequence_number) =>
    jsonFrame({ ...event, sequence_number }, event.type),
  );
}

interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface OutputItem {
  /** The item as it is announced, before its content. */
  readonly opened: object;
  readonly done: object;
  /** What streams in between; the item's id and index are added. */
  readonly events: readonly WireEvent[];
}

function buildItems(answer: ModelAnswer): OutputItem[] {
  const items: OutputItem[] = [];
  if (answer.thinking !== null) items.push(buildReasoning(`rs_${answer.id}`, answer.thinking));
  if (answer.text !== null) items.push(buildMessage(`msg_${answer.id}`, answer.text));
  return [...items, ...answer.toolCalls.map(buildCall)];
}

function buildReasoning(id: string, text: string): OutputItem {
  const item = { id, type: "reasoning", encrypted_content: "c2NyaXB0ZWQ=" };
  const part = { type: "summary_text", text };
  const at = { item_id: id, summary_index: 0 };
  return {
    opened: { ...item, summary: [] },
    done: { ...item, summary: [part] },
    events: [
      { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
      ...splitText(text).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        ...at,
        delta,
      })),
      { type: "response.reasoning_summary_text.done", ...at, text },
      { type: "response.reasoning_summary_part.done", ...at, part },
    ],
  };
}

function buildMessage(id: string, text: string): OutputItem {
  const item = { id, type: "message", role: "assistant" };
  const part = { type: "output_text", annotations: [], text };
  const at = { item_id: id, content_index: 0 };
  return {
    opened: { ...item, status: "in_progress", content: [] },
    done: { ...item, status: "completed", content: [part] },
    events: [
      { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
      ...splitText(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
      { type: "response.output_text.done", ...at, text },
      { type: "response.content_part.done", ...at, part },
    ],
  };
}

function buildCall(call: AnswerToolCall): OutputItem {
  const takesText = typeof call.arguments === "string";
  const given = takesText ? String(call.arguments) : JSON.stringify(call.arguments);
  const type = takesText ? "custom_tool_call" : "function_call";
  const field = takesText ? "input" : "arguments";
  const stem = takesText ? "response.custom_tool_call_input" : "response.function_call_arguments";
  const item_id = `fc_${call.id}`;
  // Codex 0.166 puts a server's tools into a namespace; a scenario names one as `mcp__server/tool`.
  const [, namespace, inside] = /^([^/]+)\/(.+)$/.exec(call.name) ?? [];
  const named = namespace === undefined ? { name: call.name } : { name: inside, namespace };
  const item = { id: item_id, type, call_id: call.id, ...named };
  return {
    opened: { ...item, status: "in_progress", [field]: "" },
    done: { ...item, status: "completed", [field]: given },
    events: [
      ...splitText(given).map((delta) => ({ type: `${stem}.delta`, item_id, delta })),
      { type: `${stem}.done`, item_id, [field]: given },
    ],
  };
}

const buildUsage = (usage: AnswerUsage) => ({
  input_tokens: usage.input,
  input_tokens_details: {
    cached_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
  },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.input + usage.output,
});

const buildResponse = (answer: ModelAnswer, isDone: boolean) => ({
  id: `resp_${answer.id}`,
  object: "response",
  created_at: CREATED,
  status: isDone ? "completed" : "in_progress",
  model: answer.model,
  output: isDone ? buildItems(answer).map(({ done }) => done) : [],
  usage: isDone ? buildUsage(answer.usage) : null,
  error: null,
  incomplete_details: null,
});
