import { describeOpenAiError, listOpenAiModels } from "../openai-error.ts";
import type { Wire } from "../wire.ts";
import { streamChatAnswer, wholeChatAnswer } from "./chat-answer.ts";
import { parseChatRequest } from "./chat-request.ts";

export const chatWire: Wire = {
  name: "openai-chat",
  parseRequest: parseChatRequest,
  streamAnswer: streamChatAnswer,
  wholeAnswer: wholeChatAnswer,
  describeError: describeOpenAiError,
  describeTokenCount: (input_tokens) => ({ input_tokens }),
  listModels: listOpenAiModels,
};
