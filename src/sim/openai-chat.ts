// OpenAI's Chat Completions protocol, as the scripted model speaks it. Both of OpenAI's protocols fail and
// list models alike.
import * as z from "zod/mini";
import { findStrictProblem } from "./strict-schema.ts";
import {
  type AnswerToolCall,
  type AnswerUsage,
  type Frame,
  jsonFrame,
  type ModelAnswer,
  type ModelRequest,
  type RequestFacts,
  type SentMessage,
  splitText,
  valueSchema,
  type Wire,
  type WireFailure,
} from "./wire.ts";

export const chatWire: Wire = {
  name: "openai-chat",
  parseRequest: parseChatRequest,
  streamAnswer: streamChatAnswer,
  wholeAnswer: wholeChatAnswer,
  findProblem: findStrictProblem,
  describeError: describeOpenAiError,
  describeTokenCount: (input_tokens) => ({ input_tokens }),
  listModels: listOpenAiModels,
};

const content = z.optional(
  z.nullable(
    z.union([
      z.string(),
      z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) })),
    ]),
  ),
);
const message = z.looseObject({ role: z.string(), content });

const requestSchema = z.looseObject({
  model: z.optional(z.string()),
  stream: z.optional(z.nullable(z.boolean())),
  messages: z.array(message),
  tools: z.optional(
    z.array(
      z.looseObject({
        function: z.looseObject({ name: z.string(), parameters: z.optional(valueSchema) }),
      }),
    ),
  ),
  response_format: z.optional(
    z.looseObject({
      json_schema: z.optional(z.looseObject({ schema: z.optional(valueSchema) })),
    }),
  ),
});
type Message = z.output<typeof message>;

export const isSystem = ({ role }: { readonly role?: string | undefined }): boolean =>
  role === "system" || role === "developer";

function parseChatRequest(body: unknown, facts: RequestFacts): ModelRequest | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  return {
    wire: "openai-chat",
    agent: facts.agent,
    model: data.model ?? null,
    isStreaming: data.stream ?? false,
    system: data.messages.filter(isSystem).map(readContent).join("\n"),
    messages: data.messages.filter((entry) => !isSystem(entry)).map(readMessage),
    tools: (data.tools ?? []).map((tool) => ({
      name: tool.function.name,
      takesText: false,
      parameters: tool.function.parameters ?? {},
    })),
    answerSchema: data.response_format?.json_schema?.schema ?? null,
  };
}

function readMessage(entry: Message): SentMessage {
  const role = entry.role === "assistant" || entry.role === "tool" ? entry.role : "user";
  return { role, text: readContent(entry) };
}

function readContent({ content: parts }: Message): string {
  if (typeof parts === "string") return parts;
  return (parts ?? []).map(({ type, text }) => text ?? `[${type}]`).join("\n");
}

/** When every answer and the model itself were made. */
export const CREATED = 1_767_225_600;

const finishReason = (answer: ModelAnswer) => (answer.toolCalls.length > 0 ? "tool_calls" : "stop");

const buildUsage = (usage: AnswerUsage) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cacheRead },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});

const printArguments = (call: AnswerToolCall): string =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);

function wholeChatAnswer(answer: ModelAnswer): unknown {
  const tool_calls = answer.toolCalls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: printArguments(call) },
  }));
  const message = {
    role: "assistant",
    content: answer.text,
    ...(answer.thinking === null ? {} : { reasoning_content: answer.thinking }),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  return {
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion",
    created: CREATED,
    model: answer.model,
    choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
    usage: buildUsage(answer.usage),
  };
}

function streamChatAnswer(answer: ModelAnswer): Frame[] {
  const chunk = (choices: unknown[], usage: object | null = null) =>
    jsonFrame({
      id: `chatcmpl-${answer.id}`,
      object: "chat.completion.chunk",
      created: CREATED,
      model: answer.model,
      choices,
      ...(usage === null ? {} : { usage }),
    });
  const delta = (fields: object) => chunk([{ index: 0, delta: fields, finish_reason: null }]);
  return [
    delta({ role: "assistant", content: "" }),
    ...splitText(answer.thinking ?? "").map((text) => delta({ reasoning_content: text })),
    ...splitText(answer.text ?? "").map((content) => delta({ content })),
    ...answer.toolCalls.flatMap((call, index) => streamCall(call, index).map(delta)),
    chunk([{ index: 0, delta: {}, finish_reason: finishReason(answer) }]),
    chunk([], buildUsage(answer.usage)),
    { event: null, data: "[DONE]" },
  ];
}

function streamCall(call: AnswerToolCall, index: number): object[] {
  const opening = { index, id: call.id, type: "function" };
  return [
    { tool_calls: [{ ...opening, function: { name: call.name, arguments: "" } }] },
    ...splitText(printArguments(call)).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ];
}

const ERROR_TYPES: Readonly<Record<number, { type: string; code: string | null }>> = {
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  404: { type: "invalid_request_error", code: "not_found" },
  429: { type: "requests", code: "rate_limit_exceeded" },
};

export function describeOpenAiError({ status, message, code }: WireFailure): unknown {
  const fallback = {
    type: status < 500 ? "invalid_request_error" : "server_error",
    code: null,
  };
  const own = code === undefined ? {} : { code };
  return { error: { message, param: null, ...(ERROR_TYPES[status] ?? fallback), ...own } };
}

export function listOpenAiModels(): unknown {
  const model = { id: "sim-model", object: "model", created: CREATED, owned_by: "adjutant" };
  return { object: "list", data: [model] };
}
