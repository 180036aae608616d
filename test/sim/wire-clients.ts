import type { Answer, Ask, WireClient } from "./model-client.ts";

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** `pick(value, "a.0.b")`, undefined where the way ends. */
function pick(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, step) => (isJson(inner) ? inner[step] : undefined), value);
}
const textAt = (value: unknown, path: string): string => {
  const found = pick(value, path);
  return typeof found === "string" ? found : "";
};
const listAt = (value: unknown, path: string): unknown[] => {
  const found = pick(value, path);
  return Array.isArray(found) ? found : [];
};
const usageAt = (value: unknown, path: string): Json => {
  const found = pick(value, path);
  return isJson(found) ? found : {};
};

const roles = (ask: Ask, assistant: string) =>
  ask.said.map((text, at) => ({ role: at % 2 === 0 ? "user" : assistant, text }));
const parameters = {
  type: "object",
  properties: { command: { type: "string" } },
  required: ["command"],
};

export const anthropic: WireClient = {
  name: "anthropic",
  path: () => "/v1/messages",
  body: (ask) => ({
    model: "m",
    max_tokens: 100,
    stream: ask.stream,
    system: [{ type: "text", text: "be brief" }],
    messages: [
      ...roles(ask, "assistant").map(({ role, text }) => ({
        role,
        content: [{ type: "text", text }],
      })),
      ...(ask.toolResult === undefined
        ? []
        : [
            {
              role: "user",
              content: [
                {
                  type: "tool_result",
                  tool_use_id: "x",
                  content: [{ type: "text", text: ask.toolResult }],
                },
              ],
            },
          ]),
    ],
    ...(ask.tools ? { tools: [{ name: "Bash", input_schema: parameters }] } : {}),
  }),
  read: (parts, stream) => (stream ? readAnthropicStream(parts) : readAnthropicWhole(parts[0])),
};

function readAnthropicWhole(body: unknown): Answer {
  const blocks = listAt(body, "content");
  const join = (type: string, field: string) =>
    blocks
      .filter((block) => pick(block, "type") === type)
      .map((block) => textAt(block, field))
      .join("");
  return {
    thinking: join("thinking", "thinking"),
    text: join("text", "text"),
    calls: blocks
      .filter((block) => pick(block, "type") === "tool_use")
      .map((block) => ({ name: textAt(block, "name"), arguments: pick(block, "input") })),
    usage: usageAt(body, "usage"),
  };
}

function readAnthropicStream(events: readonly unknown[]): Answer {
  const join = (field: string) => events.map((event) => textAt(event, `delta.${field}`)).join("");
  const calls = events
    .filter((event) => pick(event, "content_block.type") === "tool_use")
    .map((start) => ({
      name: textAt(start, "content_block.name"),
      arguments: JSON.parse(
        events
          .filter((event) => pick(event, "index") === pick(start, "index"))
          .map((event) => textAt(event, "delta.partial_json"))
          .join(""),
      ),
    }));
  const last = events.find((event) => pick(event, "type") === "message_delta");
  return { thinking: join("thinking"), text: join("text"), calls, usage: usageAt(last, "usage") };
}

export const responses: WireClient = {
  name: "openai-responses",
  path: () => "/v1/responses",
  body: (ask) => ({
    model: "m",
    stream: ask.stream,
    instructions: "be brief",
    input: [
      ...roles(ask, "assistant").map(({ role, text }) => ({
        type: "message",
        role,
        content: [{ type: role === "user" ? "input_text" : "output_text", text }],
      })),
      ...(ask.toolResult === undefined
        ? []
        : [{ type: "function_call_output", call_id: "x", output: ask.toolResult }]),
    ],
    ...(ask.tools ? { tools: [{ type: "function", name: "shell_command", parameters }] } : {}),
  }),
  read: (parts, stream) => {
    if (!stream) return readResponse(parts[0]);
    const join = (type: string) =>
      parts
        .filter((event) => pick(event, "type") === type)
        .map((event) => textAt(event, "delta"))
        .join("");
    const done = parts.find((event) => pick(event, "type") === "response.completed");
    return {
      ...readResponse(pick(done, "response")),
      thinking: join("response.reasoning_summary_text.delta"),
      text: join("response.output_text.delta"),
    };
  },
};

function readResponse(body: unknown): Answer {
  const items = listAt(body, "output");
  const of = (type: string) => items.filter((item) => pick(item, "type") === type);
  return {
    thinking: of("reasoning")
      .map((item) => textAt(item, "summary.0.text"))
      .join(""),
    text: of("message")
      .map((item) => textAt(item, "content.0.text"))
      .join(""),
    calls: of("function_call").map((item) => ({
      name: textAt(item, "name"),
      arguments: JSON.parse(textAt(item, "arguments")),
    })),
    usage: usageAt(body, "usage"),
  };
}

export const chat: WireClient = {
  name: "openai-chat",
  path: () => "/v1/chat/completions",
  body: (ask) => ({
    model: "m",
    stream: ask.stream,
    messages: [
      { role: "system", content: "be brief" },
      ...roles(ask, "assistant").map(({ role, text }) => ({ role, content: text })),
      ...(ask.toolResult === undefined
        ? []
        : [{ role: "tool", tool_call_id: "x", content: ask.toolResult }]),
    ],
    ...(ask.tools ? { tools: [{ type: "function", function: { name: "bash", parameters } }] } : {}),
  }),
  read: (parts, stream) => {
    const at = stream ? "choices.0.delta" : "choices.0.message";
    const join = (field: string) => parts.map((part) => textAt(part, `${at}.${field}`)).join("");
    const pieces = parts.flatMap((part) => listAt(part, `${at}.tool_calls`));
    const names = pieces.map((piece) => textAt(piece, "function.name")).filter((name) => name);
    return {
      thinking: join("reasoning_content"),
      text: join("content"),
      calls: names.map((name, index) => ({
        name,
        arguments: JSON.parse(
          pieces
            .filter((piece) => (pick(piece, "index") ?? index) === index)
            .map((piece) => textAt(piece, "function.arguments"))
            .join(""),
        ),
      })),
      usage: usageAt(
        parts.find((part) => pick(part, "usage") !== undefined),
        "usage",
      ),
    };
  },
};

export const gemini: WireClient = {
  name: "gemini",
  path: (stream) =>
    `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  body: (ask) => ({
    systemInstruction: { parts: [{ text: "be brief" }] },
    contents: [
      ...roles(ask, "model").map(({ role, text }) => ({ role, parts: [{ text }] })),
      ...(ask.toolResult === undefined
        ? []
        : [
            {
              role: "user",
              parts: [{ functionResponse: { name: "x", response: { output: ask.toolResult } } }],
            },
          ]),
    ],
    ...(ask.tools
      ? { tools: [{ functionDeclarations: [{ name: "run_shell_command", parameters }] }] }
      : {}),
  }),
  read: (parts) => {
    const pieces = parts.flatMap((part) => listAt(part, "candidates.0.content.parts"));
    const join = (isThought: boolean) =>
      pieces
        .filter((piece) => (pick(piece, "thought") === true) === isThought)
        .map((piece) => textAt(piece, "text"))
        .join("");
    return {
      thinking: join(true),
      text: join(false),
      calls: pieces
        .filter((piece) => pick(piece, "functionCall") !== undefined)
        .map((piece) => ({
          name: textAt(piece, "functionCall.name"),
          arguments: pick(piece, "functionCall.args"),
        })),
      usage: usageAt(parts.at(-1), "usageMetadata"),
    };
  },
};

export const WIRE_CLIENTS = [anthropic, responses, chat, gemini];
