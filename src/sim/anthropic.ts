// The Messages protocol of Anthropic, as the scripted model speaks it.
import * as z from "zod/mini";
import {
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

export const anthropicWire: Wire = {
  name: "anthropic",
  parseRequest: parseAnthropicRequest,
  streamAnswer: streamAnthropicAnswer,
  wholeAnswer: wholeAnthropicAnswer,
  describeError: ({ status, message }) => ({
    type: "error",
    error: { type: ERROR_TYPES[status] ?? "api_error", message },
    request_id: null,
  }),
  describeTokenCount: (input_tokens) => ({ input_tokens }),
  listModels: () => ({
    data: [
      {
        type: "model",
        id: "sim-model",
        display_name: "Scripted model",
        created_at: "2026-01-01T00:00:00Z",
      },
    ],
    has_more: false,
    first_id: "sim-model",
    last_id: "sim-model",
  }),
};

const block = z.looseObject({
  type: z.string(),
  text: z.optional(z.string()),
  thinking: z.optional(z.string()),
  content: z.optional(z.unknown()),
});
const blocks = z.union([z.string(), z.array(block)]);

const requestSchema = z.looseObject({
  model: z.optional(z.string()),
  stream: z.optional(z.boolean()),
  system: z.optional(blocks),
  messages: z.array(z.looseObject({ role: z.string(), content: blocks })),
  tools: z.optional(
    z.array(z.looseObject({ name: z.string(), input_schema: z.optional(valueSchema) })),
  ),
  output_config: z.optional(
    z.looseObject({ format: z.optional(z.looseObject({ schema: z.optional(valueSchema) })) }),
  ),
});
type Blocks = z.output<typeof blocks>;

function parseAnthropicRequest(body: unknown, facts: RequestFacts): ModelRequest | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  return {
    wire: "anthropic",
    agent: facts.agent,
    model: data.model ?? null,
    isStreaming: data.stream ?? false,
    system: readText(data.system ?? ""),
    messages: data.messages.flatMap(({ role, content }) => readMessage(role, content)),
    tools: (data.tools ?? []).map(
      ({ name, input_schema }): OfferedTool => ({
        name,
        takesText: false,
        parameters: input_schema ?? {},
      }),
    ),
    answerSchema: data.output_config?.format?.schema ?? null,
  };
}

function readMessage(role: string, content: Blocks): SentMessage[] {
  const side = role === "assistant" ? "assistant" : "user";
  if (typeof content === "string") return [{ role: side, text: content }];
  return content.map((part) =>
    part.type === "tool_result"
      ? { role: "tool", text: readUnknownText(part.content) }
      : { role: side, text: part.text ?? part.thinking ?? `[${part.type}]` },
  );
}

function readUnknownText(content: unknown): string {
  const parsed = blocks.safeParse(content);
  return parsed.success ? readText(parsed.data) : "";
}

const readText = (content: Blocks): string =>
  typeof content === "string"
    ? content
    : content.map((part) => part.text ?? `[${part.type}]`).join("\n");

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

function buildBlocks({ thinking, text, toolCalls }: ModelAnswer): Block[] {
  const blocks: Block[] = [];
  if (thinking !== null) blocks.push({ type: "thinking", thinking, signature: "c2NyaXB0ZWQ=" });
  if (text !== null) blocks.push({ type: "text", text });
  for (const call of toolCalls)
    blocks.push({ type: "tool_use", id: call.id, name: call.name, input: call.arguments });
  return blocks;
}

// On this wire input_tokens leaves the cached ones out.
const buildUsage = (usage: AnswerUsage, output: number) => ({
  input_tokens: Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite),
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead,
  output_tokens: output,
  // Not all of it is known yet when a stream starts.
  output_tokens_details: { thinking_tokens: Math.min(output, usage.reasoning) },
});

const stopReason = (answer: ModelAnswer) => (answer.toolCalls.length > 0 ? "tool_use" : "end_turn");

function wholeAnthropicAnswer(answer: ModelAnswer): unknown {
  return {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: buildBlocks(answer),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: buildUsage(answer.usage, answer.usage.output),
  };
}

function streamAnthropicAnswer(answer: ModelAnswer): Frame[] {
  const message = {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: buildUsage(answer.usage, 1),
  };
  const events = [
    { type: "message_start", message },
    ...buildBlocks(answer).flatMap(streamBlock),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: buildUsage(answer.usage, answer.usage.output),
    },
    { type: "message_stop" },
  ];
  return events.map((event) => jsonFrame(event, event.type));
}

function streamBlock(block: Block, index: number) {
  const { start, deltas } = describeBlock(block);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function describeBlock(block: Block): { start: object; deltas: object[] } {
  if (block.type === "text")
    return {
      start: { type: "text", text: "" },
      deltas: splitText(block.text).map((text) => ({ type: "text_delta", text })),
    };
  if (block.type === "thinking") {
    const { signature } = block;
    const pieces = splitText(block.thinking).map((thinking) => ({
      type: "thinking_delta",
      thinking,
    }));
    return {
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [...pieces, { type: "signature_delta", signature }],
    };
  }
  return {
    start: { ...block, input: {} },
    deltas: splitText(JSON.stringify(block.input)).map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    })),
  };
}
