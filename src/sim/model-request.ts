import type { SimAgent } from "./sim-agent.ts";

export const WIRES = ["anthropic", "openai-responses", "openai-chat", "gemini"] as const;
export type WireName = (typeof WIRES)[number];

/** The part of a JSON Schema that is needed to fill it. */
export interface ValueSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, ValueSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: ValueSchema | undefined;
  readonly anyOf?: readonly ValueSchema[] | undefined;
}

export interface OfferedTool {
  readonly name: string;
  /** Free text instead of a JSON object, as codex has for patches. */
  readonly takesText: boolean;
  readonly parameters: ValueSchema;
}

/** One entry of the conversation; a message with several tool results is several entries. */
export interface SentMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

/** What an agent asked of its model, in any wire format. */
export interface ModelRequest {
  readonly wire: WireName;
  readonly agent: SimAgent | null;
  readonly model: string | null;
  readonly isStreaming: boolean;
  readonly system: string;
  readonly messages: readonly SentMessage[];
  readonly tools: readonly OfferedTool[];
  /** The answer must be JSON of this shape. */
  readonly answerSchema: ValueSchema | null;
}

/** An agent's own turn in the conversation is a run of assistant entries. */
export function countAssistantTurns(messages: readonly SentMessage[]): number {
  return messages.filter(
    ({ role }, at) => role === "assistant" && messages[at - 1]?.role !== "assistant",
  ).length;
}

/** What came after the model's last answer, and the last thing the user said. */
export function readLatest(request: ModelRequest): { user: string; toolResults: string } {
  const answered = request.messages.findLastIndex(({ role }) => role === "assistant");
  const lastUser = request.messages.findLastIndex(({ role }) => role === "user");
  let first = lastUser;
  while (request.messages[first - 1]?.role === "user") first -= 1;
  return {
    user: joinTexts(request.messages.slice(Math.max(first, 0), lastUser + 1)),
    toolResults: joinTexts(
      request.messages.slice(answered + 1).filter(({ role }) => role === "tool"),
    ),
  };
}

/** What was said before the model answered for the first time. */
export function readOpening({ messages }: ModelRequest): string {
  const answered = messages.findIndex(({ role }) => role === "assistant");
  return joinTexts(answered < 0 ? messages : messages.slice(0, answered));
}

export const joinTexts = (messages: readonly SentMessage[]): string =>
  messages.map(({ text }) => text).join("\n");
