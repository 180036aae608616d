// Messages made of content blocks, the form that Anthropic's API has and several agents print.

import { asRecord, isRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import type { LogEvent, ToolResultEvent } from "../../log/event.ts";
import { asFlag, asList, asName, asText } from "../../log/json-fields.ts";

const RECORD_TYPES: ReadonlySet<unknown> = new Set([
  ...["system", "assistant", "user", "result", "stream_event"],
]);

/** A line of an output in this form. */
export const isMessageRecord = ({ type, session_id }: JsonRecord): boolean =>
  RECORD_TYPES.has(type) && typeof session_id === "string";

/** Text of a content value; a part that is no text is only marked. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content).map(partText).join("\n");
}

function partText(part: unknown): string {
  const { type, text } = asRecord(part);
  if (typeof text === "string") return text;
  return `[${asName(type) ?? "part"}]`;
}

interface Origin {
  readonly at: string | null;
  /** The tool call whose sub-agent speaks. */
  readonly parent: string | null;
}

/** What an assistant's message says: words, thoughts, tool calls. */
export function readAssistantBlocks(content: unknown, { at, parent }: Origin): LogEvent[] {
  const message = { kind: "message", role: "assistant", at, parent, isStreamed: false } as const;
  if (typeof content === "string") return [{ ...message, content }];
  return asList(content).flatMap((block): LogEvent[] => {
    const { type, text, id, name, input } = asRecord(block);
    if (type === "text") return [{ ...message, content: asText(text) ?? "" }];
    if (type === "thinking" || type === "redacted_thinking") return [];
    if (type === "tool_use" || type === "server_tool_use")
      return typeof id === "string" && typeof name === "string"
        ? [{ kind: "tool_call", id, name, arguments: input ?? null, at }]
        : [];
    return [{ ...message, content: partText(block) }];
  });
}

/** What a user's message says: tool results, or words. */
export function readUserBlocks(content: unknown, { at, parent }: Origin): LogEvent[] {
  const message = { kind: "message", role: "user", at, parent, isStreamed: false } as const;
  if (typeof content === "string") return [{ ...message, content }];
  return asList(content).flatMap((block): LogEvent[] => {
    const record = asRecord(block);
    if (record.type === "tool_result") return readToolResult(record, at);
    return isRecord(block) ? [{ ...message, content: partText(block) }] : [];
  });
}

function readToolResult(block: JsonRecord, at: string | null): ToolResultEvent[] {
  const id = asName(block.tool_use_id);
  if (id === null) return [];
  return [
    {
      kind: "tool_result",
      id,
      result: block.content === undefined ? null : contentText(block.content),
      // It is left out where all went well.
      isError: asFlag(block.is_error) ?? false,
      durationMs: null,
      permission: null,
      at,
    },
  ];
}

/** Pieces of an answer while it is being made. */
export function readStreamEvent(event: unknown, { at, parent }: Origin): LogEvent[] {
  const { type, delta } = asRecord(event);
  if (type !== "content_block_delta") return [];
  const piece = asRecord(delta);
  const text = asText(piece.text) ?? asText(piece.thinking);
  if (text === null) return [];
  const channel = piece.type === "thinking_delta" ? "thinking" : "answer";
  return piece.type === "text_delta" || channel === "thinking"
    ? [{ kind: "delta", channel, text, at, parent }]
    : [];
}
