// Google's protocol, as the scripted model speaks it.
import * as z from "zod/mini";
import { textOrJson } from "../core/project/json-value.ts";
import {
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
} from "./wire.ts";

export const geminiWire: Wire = {
  name: "gemini",
  parseRequest: parseGeminiRequest,
  streamAnswer: streamGeminiAnswer,
  wholeAnswer: wholeGeminiAnswer,
  describeError: ({ status, message, retryAfterMs }) => ({
    error: {
      code: status,
      message,
      status: STATUS_WORDS[status] ?? "UNKNOWN",
      ...(retryAfterMs === null ? {} : { details: [describeRetry(retryAfterMs)] }),
    },
  }),
  describeTokenCount: (totalTokens) => ({ totalTokens }),
  listModels: () => ({
    models: [
      {
        name: "models/sim-model",
        displayName: "Scripted model",
        supportedGenerationMethods: ["generateContent", "countTokens"],
      },
    ],
  }),
};

const part = z.looseObject({
  text: z.optional(z.string()),
  functionCall: z.optional(z.unknown()),
  functionResponse: z.optional(z.looseObject({ response: z.optional(z.unknown()) })),
});
const content = z.looseObject({
  role: z.optional(z.string()),
  parts: z.optional(z.array(part)),
});
const declaration = z.looseObject({
  name: z.string(),
  parameters: z.optional(valueSchema),
  parametersJsonSchema: z.optional(valueSchema),
});

const requestSchema = z.looseObject({
  contents: z.array(content),
  systemInstruction: z.optional(content),
  tools: z.optional(
    z.array(z.looseObject({ functionDeclarations: z.optional(z.array(declaration)) })),
  ),
  generationConfig: z.optional(
    z.looseObject({
      responseSchema: z.optional(valueSchema),
      responseJsonSchema: z.optional(valueSchema),
    }),
  ),
});
type Part = z.output<typeof part>;
type Content = z.output<typeof content>;

function parseGeminiRequest(body: unknown, facts: RequestFacts): ModelRequest | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  const declarations = (data.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
  const config = data.generationConfig;
  return {
    wire: "gemini",
    agent: facts.agent,
    model: facts.pathModel,
    isStreaming: facts.pathStreams,
    system: (data.systemInstruction?.parts ?? []).map(({ text }) => text ?? "").join("\n"),
    messages: data.contents.flatMap(readContent),
    tools: declarations.map(({ name, parameters, parametersJsonSchema }) => ({
      name,
      takesText: false,
      parameters: parametersJsonSchema ?? parameters ?? {},
    })),
    answerSchema: config?.responseJsonSchema ?? config?.responseSchema ?? null,
  };
}

const readContent = ({ role, parts }: Content): SentMessage[] =>
  (parts ?? []).map((entry) => readPart(entry, role === "model" ? "assistant" : "user"));

function readPart(entry: Part, side: "assistant" | "user"): SentMessage {
  if (entry.functionResponse !== undefined)
    return { role: "tool", text: readResponse(entry.functionResponse.response) };
  return { role: side, text: entry.text ?? `[${Object.keys(entry)[0] ?? "empty"}]` };
}

/** The text inside is what counts; its JSON form would hide it behind escapes. */
function readResponse(response: unknown): string {
  if (typeof response === "string") return response;
  if (typeof response !== "object" || response === null) return String(response ?? "");
  return Object.values(response).map(textOrJson).join("\n");
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

const describeRetry = (retryAfterMs: number) => ({
  "@type": "type.googleapis.com/google.rpc.RetryInfo",
  retryDelay: `${retryAfterMs / 1000}s`,
});

// Here the answer's tokens leave the thoughts out, and the cached ones are part of the prompt.
const buildUsage = (usage: AnswerUsage) => ({
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

function wholeGeminiAnswer(answer: ModelAnswer): unknown {
  const parts: object[] = [];
  if (answer.thinking !== null) parts.push({ text: answer.thinking, thought: true });
  if (answer.text !== null) parts.push({ text: answer.text });
  return buildChunk(answer, [...parts, ...callParts(answer)], true);
}

function streamGeminiAnswer(answer: ModelAnswer): Frame[] {
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
