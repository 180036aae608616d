// Tool calls of a prompt, as they take shape, become events.

import { asRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import type { LogEvent, ToolResultEvent } from "../../log/event.ts";
import { asList, asName, asText } from "../../log/json-fields.ts";
import type { AcpTraits, OwnCall, SeenCall } from "./traits.ts";

interface KnownCall extends SeenCall {
  readonly isEmitted: boolean;
  readonly isOver: boolean;
  readonly permission: ToolResultEvent["permission"];
}

const UNKNOWN_CALL: Omit<KnownCall, "id"> = {
  name: "",
  title: "",
  kind: "other",
  input: {},
  firstInput: {},
  content: [],
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
  readonly #traits: Pick<AcpTraits, "toolName" | "readCall">;
  readonly #calls = new Map<string, KnownCall>();

  constructor(traits: Pick<AcpTraits, "toolName" | "readCall">) {
    this.#traits = traits;
  }

  /** What a call may be called in a list of allowed tools: its kind, and the agent's own name for it. */
  namesOf(id: string): string[] {
    const { name, kind } = this.#find(id);
    return [kind, name].filter((word) => word !== "");
  }

  /** The call in the agent's own words. */
  read(id: string): OwnCall {
    return this.#traits.readCall(this.#find(id));
  }

  notePermission(id: string, isAllowed: boolean): void {
    const permission = isAllowed ? "allowed" : "denied";
    this.#calls.set(id, { ...this.#find(id), permission });
  }

  update(update: JsonRecord): LogEvent[] {
    const id = asName(update.toolCallId);
    if (id === null) return [];
    const known = this.#merge(this.#find(id), update);
    const { status } = update;
    const isOver = status === "completed" || status === "failed";
    const starts = !known.isEmitted && (status === "in_progress" || isOver);
    this.#calls.set(id, { ...known, isEmitted: known.isEmitted || starts, isOver });
    return [
      ...(starts ? [describeCall(id, this.#traits.readCall(known))] : []),
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

  #find(id: string): KnownCall {
    return this.#calls.get(id) ?? { ...UNKNOWN_CALL, id };
  }

  #merge(known: KnownCall, update: JsonRecord): KnownCall {
    const input = asRecord(update.rawInput);
    const content = asList(update.content);
    const isTold = Object.keys(input).length > 0;
    const isFirst = Object.keys(known.firstInput).length === 0;
    return {
      ...known,
      name: this.#traits.toolName(asRecord(update._meta)) ?? known.name,
      title: asName(update.title) ?? known.title,
      kind: asName(update.kind) ?? known.kind,
      input: isTold ? input : known.input,
      firstInput: isTold && isFirst ? input : known.firstInput,
      content: content.length > 0 ? content : known.content,
      path: findPath(update) ?? known.path,
    };
  }
}

const NO_RESULT = {
  kind: "tool_result",
  result: null,
  isError: null,
  durationMs: null,
  at: null,
} as const;

function findPath({ content, locations }: JsonRecord): string | null {
  const parts = [...asList(content), ...asList(locations)].map((part) =>
    asName(asRecord(part).path),
  );
  return parts.find((path) => path !== null) ?? null;
}

const describeCall = (id: string, { tool, args }: OwnCall): LogEvent => ({
  kind: "tool_call",
  id,
  name: tool,
  arguments: args,
  at: null,
});

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
  const holders = [output, asRecord(output.metadata), ...asList(output.contents).map(asRecord)];
  const codes = holders.flatMap(({ exitCode, exit }) => [exitCode, exit]);
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
