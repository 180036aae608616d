import { asList, asName, asRecord, asText, type JsonRecord } from "../json-fields.ts";
import type { LogEvent, ToolResultEvent } from "../log-event.ts";

interface KnownCall {
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  readonly input: JsonRecord;
  readonly path: string | null;
  readonly isEmitted: boolean;
  readonly isOver: boolean;
  readonly permission: ToolResultEvent["permission"];
}

const UNKNOWN_CALL: KnownCall = {
  name: "",
  title: "",
  kind: "other",
  input: {},
  path: null,
  isEmitted: false,
  isOver: false,
  permission: null,
};

/**
 * Tool calls as they take shape: agents announce them empty and fill them in later, or only mention
 * them when they ask for permission. A call is handed on when it starts, with all that is known.
 */
export class ToolCalls {
  readonly #calls = new Map<string, KnownCall>();

  /** What a call may be called in a list of allowed tools: its kind, and the agent's own name for it. */
  namesOf(id: string): string[] {
    const { name, kind } = this.#calls.get(id) ?? UNKNOWN_CALL;
    return [kind, name].filter((word) => word !== "");
  }

  notePermission(id: string, isAllowed: boolean): void {
    const permission = isAllowed ? "allowed" : "denied";
    this.#calls.set(id, { ...(this.#calls.get(id) ?? UNKNOWN_CALL), permission });
  }

  update(update: JsonRecord): LogEvent[] {
    const id = asName(update.toolCallId);
    if (id === null) return [];
    const known = mergeCall(this.#calls.get(id) ?? UNKNOWN_CALL, update);
    const { status } = update;
    const isOver = status === "completed" || status === "failed";
    const starts = !known.isEmitted && (status === "in_progress" || isOver);
    this.#calls.set(id, { ...known, isEmitted: known.isEmitted || starts, isOver });
    return [
      ...(starts ? [describeCall(id, known)] : []),
      ...(isOver ? [describeResult(id, known, update)] : []),
    ];
  }

  /** Gemini CLI 0.61.0 says no more of a call that it was denied. */
  endDenied(): LogEvent[] {
    const denied = [...this.#calls].filter(
      ([, { permission, isOver }]) => permission === "denied" && !isOver,
    );
    return denied.map(([id]) => ({ ...NO_RESULT, id, permission: "denied" }));
  }
}

const NO_RESULT = {
  kind: "tool_result",
  result: null,
  isError: null,
  durationMs: null,
  at: null,
} as const;

function mergeCall(known: KnownCall, update: JsonRecord): KnownCall {
  const input = asRecord(update.rawInput);
  const { toolName: ownName, claudeCode } = asRecord(update._meta);
  const toolName = asName(ownName) ?? asName(asRecord(claudeCode).toolName);
  return {
    ...known,
    name: toolName ?? known.name,
    title: asName(update.title) ?? known.title,
    kind: asName(update.kind) ?? known.kind,
    input: Object.keys(input).length > 0 ? input : known.input,
    path: findPath(update) ?? known.path,
  };
}

function findPath({ content, locations }: JsonRecord): string | null {
  const parts = [...asList(content), ...asList(locations)].map((part) =>
    asName(asRecord(part).path),
  );
  return parts.find((path) => path !== null) ?? null;
}

/** The protocol has no names for tools: the agent's own where it tells one, else the kind. */
function describeCall(id: string, { name, title, kind, input, path }: KnownCall): LogEvent {
  const isEmpty = Object.keys(input).length === 0;
  const shown = path === null || kind === "execute" ? { title } : { title, path };
  return {
    kind: "tool_call",
    id,
    name: name || kind,
    arguments: isEmpty ? shown : input,
    at: null,
  };
}

function describeResult(id: string, known: KnownCall, update: JsonRecord): ToolResultEvent {
  const exitCode = findExitCode(asRecord(update.rawOutput));
  const hasFailed = update.status === "failed" || (exitCode !== null && exitCode !== 0);
  // "completed" says that a command ran; only an exit code says how it went.
  const isOpen = !hasFailed && known.kind === "execute" && exitCode === null;
  return {
    kind: "tool_result",
    id,
    result: readContent(update.content) ?? asText(asRecord(update.rawOutput).output),
    isError: isOpen ? null : hasFailed,
    durationMs: null,
    permission: known.permission,
    at: null,
  };
}

function findExitCode(output: JsonRecord): number | null {
  const places = [output, asRecord(output.metadata), ...asList(output.contents).map(asRecord)];
  const codes = places.flatMap(({ exitCode, exit }) => [exitCode, exit]);
  return codes.find((code) => typeof code === "number") ?? null;
}

function readContent(content: unknown): string | null {
  const parts = asList(content).map((part) => {
    const { type, content: inner, path } = asRecord(part);
    const text = asText(asRecord(inner).text);
    return (
      text ?? (type === "diff" ? `[diff of ${asName(path) ?? "a file"}]` : `[${String(type)}]`)
    );
  });
  return parts.length === 0 ? null : parts.join("\n");
}
