import type { Wire } from "../wire.ts";
import { streamAnthropicAnswer, wholeAnthropicAnswer } from "./anthropic-answer.ts";
import { parseAnthropicRequest } from "./anthropic-request.ts";

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

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
