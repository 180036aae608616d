// What every wire format is made of: the format itself, a request as any agent sends it, and the answer before
// it is put into a format.
import * as z from "zod/mini";

/** One server-sent event. */
export interface Frame {
  readonly event: string | null;
  readonly data: string;
}

export interface WireFailure {
  readonly status: number;
  readonly message: string;
  readonly retryAfterMs: number | null;
  /** The machine word of it, where there is one of its own. */
  readonly code?: string;
}

/** What the address of a request says besides its body. */
export interface RequestFacts {
  readonly agent: string | null;
  /** Only Gemini names the model and the streaming in the address. */
  readonly pathModel: string | null;
  readonly pathStreams: boolean;
}

/** One model provider's protocol, without any I/O. */
export interface Wire {
  readonly name: WireName;
  /** Null where the body is not a request of this protocol. */
  parseRequest(body: unknown, facts: RequestFacts): ModelRequest | null;
  /** Why the real API refuses a body that is one; nothing is refused without it. */
  findProblem?(body: unknown): string | null;
  streamAnswer(answer: ModelAnswer): Frame[];
  wholeAnswer(answer: ModelAnswer): unknown;
  describeError(failure: WireFailure): unknown;
  describeTokenCount(tokens: number): unknown;
  listModels(): unknown;
}

export const jsonFrame = (value: unknown, event: string | null = null): Frame => ({
  event,
  data: JSON.stringify(value),
});

export const formatFrame = ({ event, data }: Frame): string =>
  `${event === null ? "" : `event: ${event}\n`}data: ${data}\n\n`;

type WireName = "anthropic" | "openai-responses" | "openai-chat" | "gemini";

/** The part of a JSON Schema that is needed to fill it. */
interface ValueSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, ValueSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
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
  readonly agent: string | null;
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
    user: joinMessageTexts(request.messages.slice(Math.max(first, 0), lastUser + 1)),
    toolResults: joinMessageTexts(
      request.messages.slice(answered + 1).filter(({ role }) => role === "tool"),
    ),
  };
}

/** What was said before the model answered for the first time. */
export function readOpening({ messages }: ModelRequest): string {
  const answered = messages.findIndex(({ role }) => role === "assistant");
  return joinMessageTexts(answered < 0 ? messages : messages.slice(0, answered));
}

export const joinMessageTexts = (messages: readonly SentMessage[]): string =>
  messages.map(({ text }) => text).join("\n");

/** All five always known; caches are part of input, reasoning is part of output. */
export interface AnswerUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

export interface AnswerToolCall {
  readonly id: string;
  readonly name: string;
  /** A text for a tool that takes free text, else an object. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** What the scripted model says, before it is put into a wire format. */
export interface ModelAnswer {
  /** Unique per answer: Claude Code drops a second message with an id it has seen. */
  readonly id: string;
  readonly model: string;
  readonly thinking: string | null;
  readonly text: string | null;
  readonly toolCalls: readonly AnswerToolCall[];
  readonly usage: AnswerUsage;
}

/** Pieces as a model streams them: small, but never so many that a long text becomes slow. */
export function splitText(text: string): string[] {
  const size = Math.max(8, Math.ceil(text.length / 64));
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size)
    pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}

/** Agents' schemas hold much more than this; what is not understood is ignored. */
export const valueSchema: z.ZodMiniType<ValueSchema> = z.lazy(() =>
  z.catch(
    z.looseObject({
      type: z.optional(z.union([z.string(), z.array(z.string())])),
      enum: z.optional(z.array(z.unknown())),
      const: z.optional(z.unknown()),
      properties: z.optional(z.record(z.string(), valueSchema)),
      required: z.optional(z.array(z.string())),
      items: z.optional(valueSchema),
      anyOf: z.optional(z.array(valueSchema)),
    }),
    {},
  ),
);

/** The smallest value of a schema: required properties only. Gemini writes types in capitals. */
export function fillSchema(schema: ValueSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = schema.anyOf?.[0];
  if (choice !== undefined) return fillSchema(choice);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type?.toLowerCase()) {
    case "object":
      return fillObject(schema);
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 0;
    case "null":
      return null;
    default:
      return schema.properties === undefined ? "scripted" : fillObject(schema);
  }
}

function fillObject(schema: ValueSchema): Record<string, unknown> {
  const required = schema.required ?? [];
  return Object.fromEntries(
    required.map((name) => [name, fillSchema(schema.properties?.[name] ?? {})]),
  );
}
