import { type ModelAnswer, splitText, type Usage } from "../model-answer.ts";
import { type Frame, jsonFrame } from "../wire.ts";

// Here the answer's tokens leave the thoughts out, and the cached ones are part of the prompt.
const buildUsage = (usage: Usage) => ({
  promptTokenCount: usage.input,
  candidatesTokenCount: Math.max(0, usage.output - usage.reasoning),
  thoughtsTokenCount: usage.reasoning,
  cachedContentTokenCount: usage.cacheRead,
  totalTokenCount: usage.input + usage.output,
});

const callParts = (answer: ModelAnswer): object[] =>
  answer.toolCalls.map(({ id, name, arguments: args }) => ({
    functionCall: { id, name, args },
  }));

const buildChunk = (answer: ModelAnswer, parts: object[], isLast: boolean) => ({
  candidates: [
    {
      content: { role: "model", parts },
      index: 0,
      ...(isLast ? { finishReason: "STOP" } : {}),
    },
  ],
  ...(isLast ? { usageMetadata: buildUsage(answer.usage) } : {}),
  modelVersion: answer.model,
  responseId: answer.id,
});

export function wholeGeminiAnswer(answer: ModelAnswer): unknown {
  const parts: object[] = [];
  if (answer.thinking !== null) parts.push({ text: answer.thinking, thought: true });
  if (answer.text !== null) parts.push({ text: answer.text });
  return buildChunk(answer, [...parts, ...callParts(answer)], true);
}

export function streamGeminiAnswer(answer: ModelAnswer): Frame[] {
  const pieces = [
    ...splitText(answer.thinking ?? "").map((text) => [{ text, thought: true }]),
    ...splitText(answer.text ?? "").map((text) => [{ text }]),
  ];
  const calls = callParts(answer);
  const last = calls.length > 0 ? calls : (pieces.pop() ?? []);
  return [
    ...pieces.map((parts) => buildChunk(answer, parts, false)),
    buildChunk(answer, last, true),
  ].map((chunk) => jsonFrame(chunk));
}
