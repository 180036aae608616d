// What happens in a turn, in the words of the Agent Client Protocol, version 1. Pure: an editor draws what it is given.

import type { LogEvent } from "../../agents/log/event.ts";
import { asList, asText } from "../../agents/log/json-fields.ts";
import { kindOfAnyTool } from "../../agents/steps/tool-table.ts";
import type { CommandSummary } from "../../core/command/definition.ts";
import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import type { ToolKind } from "../../core/step/envelope.ts";
import type { Question } from "../../core/store/questions.ts";
import { readApprovalAnswer } from "../../hooks/inbox/approval-question.ts";

export type SessionUpdate = { readonly sessionUpdate: string } & JsonRecord;

export const textUpdate = (
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk",
  text: string,
): SessionUpdate => ({ sessionUpdate, content: { type: "text", text } });

/** Null for what an editor has no place for. */
export function describeProgress(event: LogEvent): SessionUpdate | null {
  switch (event.kind) {
    case "delta": {
      if (event.parent !== null) return null;
      const kind = event.channel === "answer" ? "agent_message_chunk" : "agent_thought_chunk";
      return textUpdate(kind, event.text);
    }
    case "message":
      return event.role === "assistant" && event.parent === null && !event.isStreamed
        ? textUpdate("agent_message_chunk", event.content)
        : null;
    case "tool_call":
      return { sessionUpdate: "tool_call", ...describeToolCall(event), status: "in_progress" };
    case "tool_result":
      return {
        sessionUpdate: "tool_call_update",
        toolCallId: event.id,
        status: event.isError === true ? "failed" : "completed",
        ...(event.result === null ? {} : { content: [textContent(event.result)] }),
      };
    case "error":
      return textUpdate("agent_message_chunk", `\n${event.message}\n`);
    default:
      return null;
  }
}

function describeToolCall({
  id,
  name,
  arguments: given,
}: Extract<LogEvent, { kind: "tool_call" }>) {
  const args = asRecord(given);
  const [path] = ["file_path", "path", "filePath", "absolute_path"].flatMap(
    (key) => asText(args[key]) ?? [],
  );
  const line = asText(args.command) ?? path ?? asText(args.pattern) ?? "";
  return {
    toolCallId: id,
    title: line === "" ? name : `${name}: ${line.slice(0, 200)}`,
    kind: KINDS[kindOfAnyTool(name)],
    rawInput: args,
    ...(path === undefined ? {} : { locations: [{ path }] }),
  };
}

const textContent = (text: string) => ({ type: "content", content: { type: "text", text } });

const KINDS: Readonly<Record<ToolKind, string>> = {
  shell: "execute",
  read: "read",
  write: "edit",
  edit: "edit",
  search: "search",
  fetch: "fetch",
  mcp: "other",
  agent: "think",
  other: "other",
};

/** A question as the editor's own request for permission; null where it can only be answered in another window. */
export function describePermission(sessionId: string, question: Question): JsonRecord | null {
  const { id, kind, text, choices, details } = question;
  if (kind === "input") return null;
  const options = kind === "select" ? choices.map(plainOption) : permissionOptions(question);
  return {
    sessionId,
    toolCall: {
      toolCallId: permissionCall(id),
      title: text,
      kind: KINDS[toolKindIn(details.kind)],
      status: "pending",
      rawInput: details.args ?? details,
      ...(typeof details.diff === "string" ? { content: [textContent(details.diff)] } : {}),
    },
    options,
  };
}

/** How a question ended, in whichever window. */
export const permissionUpdate = (question: Question): SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId: permissionCall(question.id),
  status: isGiven(question) ? "completed" : "failed",
});

function isGiven({ kind, status, answer }: Question): boolean {
  if (status !== "answered") return false;
  return kind === "approval" ? readApprovalAnswer(answer).decision !== "no" : answer !== false;
}

const permissionCall = (id: string): string => `question-${id}`;

const toolKindIn = (kind: unknown): ToolKind => {
  const kinds: readonly ToolKind[] = ["shell", "read", "write", "edit", "search", "fetch"];
  return kinds.find((known) => known === kind) ?? "other";
};

const plainOption = (choice: string) => ({ optionId: choice, name: choice, kind: "allow_once" });

function permissionOptions({ kind, choices, details }: Question) {
  const rule = asText(details.ruleText);
  return [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    ...(kind === "approval" && choices.includes("yes-session")
      ? [{ optionId: "session", name: `Yes, and ${rule ?? "the like"} here`, kind: "allow_always" }]
      : []),
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
}

/** The commands that an editor offers behind `/`. */
export const describeSlashCommands = (summaries: readonly CommandSummary[]): SessionUpdate => ({
  sessionUpdate: "available_commands_update",
  availableCommands: summaries.map(({ name, description, argumentHint }) => ({
    name,
    description,
    ...(argumentHint === null || argumentHint === "" ? {} : { input: { hint: argumentHint } }),
  })),
});

/** What a person wrote, with what the editor put beside it: links stay links, texts are quoted. */
export function readPromptText(blocks: unknown): string {
  return asList(blocks)
    .map((block) => {
      const { type, text, uri, resource } = asRecord(block);
      if (type === "text") return asText(text) ?? "";
      if (type === "resource_link") return pathOf(asText(uri) ?? "");
      if (type === "resource") {
        const embedded = asRecord(resource);
        const name = pathOf(asText(embedded.uri) ?? "");
        return `${name}:\n\`\`\`\n${asText(embedded.text) ?? ""}\n\`\`\``;
      }
      return "";
    })
    .filter((part) => part !== "")
    .join("\n");
}

function pathOf(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  const path = uri.slice("file://".length);
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
