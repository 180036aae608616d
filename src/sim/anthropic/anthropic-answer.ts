import { type ModelAnswer, splitText, type Usage } from "../model-answer.ts";
import { type Frame, jsonFrame } from "../wire.ts";

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
const buildUsage = (usage: Usage, output: number) => ({
  input_tokens: Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite),
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead,
  output_tokens: output,
  // Not all of it is known yet when a stream starts.
  output_tokens_details: { thinking_tokens: Math.min(output, usage.reasoning) },
});

const stopReason = (answer: ModelAnswer) => (answer.toolCalls.length > 0 ? "tool_use" : "end_turn");

export function wholeAnthropicAnswer(answer: ModelAnswer): unknown {
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

export function streamAnthropicAnswer(answer: ModelAnswer): Frame[] {
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
