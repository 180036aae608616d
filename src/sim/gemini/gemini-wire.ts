import type { Wire } from "../wire.ts";
import { streamGeminiAnswer, wholeGeminiAnswer } from "./gemini-answer.ts";
import { parseGeminiRequest } from "./gemini-request.ts";

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
