// A log in the order in which things happened, for whoever prints it.
import type { LogMessage, RunLog, ToolCall } from "../run-log.ts";

export type TranscriptPart =
  | {
      readonly kind: "words";
      readonly role: Exclude<LogMessage["role"], "tool">;
      readonly text: string;
      readonly isNested: boolean;
    }
  | { readonly kind: "tool"; readonly call: ToolCall };

/** A tool's message marks the place of its call; calls that never came back stand at the end. */
export function listParts({ messages, tool_calls: calls }: RunLog): TranscriptPart[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  const placed = messages.flatMap(({ role, content, parent }): TranscriptPart[] => {
    if (role !== "tool")
      return [{ kind: "words", role, text: content, isNested: parent !== undefined }];
    const call = byId.get(parent ?? "");
    byId.delete(parent ?? "");
    return call === undefined ? [] : [{ kind: "tool", call }];
  });
  const open = [...byId.values()].map((call) => ({ kind: "tool", call }) as const);
  return [...placed, ...open];
}

/** The arguments as a person would say them: the command, the path, or the JSON. */
export function describeArguments({ kind, arguments: given }: ToolCall): string {
  if (typeof given === "string") return given;
  if (typeof given !== "object" || given === null) return "";
  const said = Object.entries(given).find(([key]) => (SAYING[kind] ?? []).includes(key))?.[1];
  return typeof said === "string" ? said : JSON.stringify(given);
}

const PATHS = ["file_path", "filePath", "path", "notebook_path"];

const SAYING: Readonly<Partial<Record<ToolCall["kind"], readonly string[]>>> = {
  shell: ["command"],
  read: PATHS,
  write: PATHS,
  edit: PATHS,
  fetch: ["url", "query"],
  search: ["pattern", "query"],
};

export const describeOutcome = ({ is_error, permission, result }: ToolCall): string => {
  if (permission === "denied") return "denied";
  if (is_error === true) return "failed";
  return result === undefined && is_error === undefined ? "no result" : "ok";
};
