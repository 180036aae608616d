// Both OpenAI protocols fail and list models alike.
import type { Failure } from "./wire.ts";

const ERROR_TYPES: Readonly<Record<number, { type: string; code: string | null }>> = {
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  404: { type: "invalid_request_error", code: "not_found" },
  429: { type: "requests", code: "rate_limit_exceeded" },
};

export function describeOpenAiError({ status, message }: Failure): unknown {
  const fallback = {
    type: status < 500 ? "invalid_request_error" : "server_error",
    code: null,
  };
  return { error: { message, param: null, ...(ERROR_TYPES[status] ?? fallback) } };
}

export const listOpenAiModels = (): unknown => ({
  object: "list",
  data: [{ id: "sim-model", object: "model", created: 1_767_225_600, owned_by: "adjutant" }],
});
