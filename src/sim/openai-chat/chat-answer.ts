import { type AnswerToolCall, type ModelAnswer, splitText, type Usage } from "../model-answer.ts";
import { type Frame, jsonFrame } from "../wire.ts";

const CREATED = 1_767_225_600;

const finishReason = (answer: ModelAnswer) => (answer.toolCalls.length > 0 ? "tool_calls" : "stop");

const buildUsage = (usage: Usage) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cacheRead },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});

const printArguments = (call: AnswerToolCall): string =>
  typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);

export function wholeChatAnswer(answer: ModelAnswer): unknown {
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

export function streamChatAnswer(answer: ModelAnswer): Frame[] {
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
