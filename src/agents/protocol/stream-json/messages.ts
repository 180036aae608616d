// The messages of the stream-json protocol beside the events that a run prints too: prompts, and requests with replies
// in both directions. As Claude Code 2.1.325 and Qwen Code 0.24.4 have them.

import { asRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import type { ToolArguments } from "../../../core/step/envelope.ts";
import { asList, asName, asText } from "../../log/json-fields.ts";
import type { ToolAnswer } from "../../run/conversation.ts";

export type ControlReply =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly problem: string };

type StreamJsonMessage =
  | { readonly kind: "reply"; readonly id: string; readonly reply: ControlReply }
  | { readonly kind: "question"; readonly id: string; readonly question: ToolQuestion }
  /** Something else that is asked of a client. */
  | { readonly kind: "request"; readonly id: string; readonly subtype: string }
  /** The agent no longer wants an answer. */
  | { readonly kind: "withdrawal"; readonly id: string }
  | { readonly kind: "event"; readonly record: JsonRecord };

/** Whether a tool may run. */
export interface ToolQuestion {
  readonly callId: string | null;
  readonly tool: string;
  readonly args: ToolArguments;
}

export function readMessage(record: JsonRecord): StreamJsonMessage {
  const id = asName(record.request_id) ?? "";
  switch (record.type) {
    case "control_response":
      return readReply(asRecord(record.response));
    case "control_request":
      return readRequest(id, asRecord(record.request));
    case "control_cancel_request":
      return { kind: "withdrawal", id };
    default:
      return { kind: "event", record };
  }
}

function readReply(response: JsonRecord): StreamJsonMessage {
  const id = asName(response.request_id) ?? "";
  if (response.subtype !== "error") return { kind: "reply", id, reply: { kind: "done" } };
  const { error } = response;
  const problem = asName(error) ?? asName(asRecord(error).message) ?? "the agent refused it";
  return { kind: "reply", id, reply: { kind: "failed", problem } };
}

function readRequest(id: string, request: JsonRecord): StreamJsonMessage {
  const { subtype, tool_name, tool_use_id, input } = request;
  if (subtype !== "can_use_tool") return { kind: "request", id, subtype: asName(subtype) ?? "" };
  const question = {
    callId: asName(tool_use_id),
    tool: asName(tool_name) ?? "",
    args: asRecord(input),
  };
  return { kind: "question", id, question };
}

/** What a `result` says went wrong; null for one that went well. */
export function readFailure(result: JsonRecord): string | null {
  const { subtype, is_error, errors, error } = result;
  if (is_error !== true && asName(subtype)?.startsWith("error") !== true) return null;
  const listed = asList(errors).map((entry) => asText(entry) ?? "");
  const texts = [asName(result.result), ...listed, asName(asRecord(error).message)];
  return texts.filter(Boolean).join("\n") || (asName(subtype) ?? "the turn failed");
}

export const promptMessage = (content: string): object => ({
  type: "user",
  message: { role: "user", content },
  parent_tool_use_id: null,
  session_id: "",
});

export const controlRequest = (id: string, request: object): object => ({
  type: "control_request",
  request_id: id,
  request,
});

/** Nothing of the agent's `permission_suggestions` goes back: Claude Code would write them into the project. */
export function answerQuestion(id: string, { args }: ToolQuestion, answer: ToolAnswer): object {
  const response =
    answer.kind === "allow"
      ? { behavior: "allow", updatedInput: answer.args ?? args }
      : { behavior: "deny", message: answer.reason };
  return controlResponse({ subtype: "success", request_id: id, response });
}

export const refuseControlRequest = (id: string, subtype: string): object =>
  controlResponse({ subtype: "error", request_id: id, error: `\`${subtype}\` is not offered` });

const controlResponse = (response: object): object => ({ type: "control_response", response });
