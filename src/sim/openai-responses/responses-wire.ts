import { describeOpenAiError, listOpenAiModels } from "../openai-error.ts";
import type { Wire } from "../wire.ts";
import { streamResponsesAnswer, wholeResponsesAnswer } from "./responses-answer.ts";
import { parseResponsesRequest } from "./responses-request.ts";

export const responsesWire: Wire = {
  name: "openai-responses",
  parseRequest: parseResponsesRequest,
  streamAnswer: streamResponsesAnswer,
  wholeAnswer: wholeResponsesAnswer,
  describeError: describeOpenAiError,
  describeTokenCount: (input_tokens) => ({ object: "response.input_tokens", input_tokens }),
  listModels: listOpenAiModels,
};
