import * as z from "zod/mini";
import type { ModelRequest, OfferedTool, SentMessage } from "../model-request.ts";
import { valueSchema } from "../value-schema.ts";
import type { RequestFacts } from "../wire.ts";

const part = z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const parts = z.union([z.string(), z.array(part)]);

const item = z.looseObject({
  type: z.optional(z.string()),
  role: z.optional(z.string()),
  content: z.optional(z.nullable(parts)),
  output: z.optional(z.unknown()),
});

const tool = z.looseObject({
  type: z.string(),
  name: z.optional(z.string()),
  parameters: z.optional(valueSchema),
});

const requestSchema = z.looseObject({
  model: z.optional(z.string()),
  stream: z.optional(z.nullable(z.boolean())),
  instructions: z.optional(z.nullable(z.string())),
  input: z.union([z.string(), z.array(item)]),
  tools: z.optional(z.nullable(z.array(tool))),
  text: z.optional(
    z.nullable(
      z.looseObject({ format: z.optional(z.looseObject({ schema: z.optional(valueSchema) })) }),
    ),
  ),
});
type Item = z.output<typeof item>;

export function parseResponsesRequest(body: unknown, facts: RequestFacts): ModelRequest | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  const items: Item[] =
    typeof data.input === "string" ? [{ role: "user", content: data.input }] : data.input;
  const isSystem = ({ role }: Item) => role === "system" || role === "developer";
  return {
    wire: "openai-responses",
    agent: facts.agent,
    model: data.model ?? null,
    isStreaming: data.stream ?? false,
    system: [data.instructions ?? "", ...items.filter(isSystem).map(readContent)].join("\n"),
    messages: items.filter((entry) => !isSystem(entry)).map(readItem),
    tools: (data.tools ?? []).flatMap(readTool),
    answerSchema: data.text?.format?.schema ?? null,
  };
}

function readTool({ type, name, parameters }: z.output<typeof tool>): OfferedTool[] {
  if (name === undefined) return [];
  return [{ name, takesText: type === "custom", parameters: parameters ?? {} }];
}

function readItem(entry: Item): SentMessage {
  const type = entry.type ?? "message";
  if (type.endsWith("_output")) return { role: "tool", text: readOutput(entry.output) };
  if (type === "message" && entry.role !== "assistant")
    return { role: "user", text: readContent(entry) };
  return { role: "assistant", text: readContent(entry) };
}

function readOutput(output: unknown): string {
  const parsed = parts.safeParse(output);
  if (parsed.success) return joinParts(parsed.data);
  return JSON.stringify(output) ?? "";
}

const readContent = ({ content }: Item): string => joinParts(content ?? "");

const joinParts = (content: z.output<typeof parts>): string =>
  typeof content === "string"
    ? content
    : content.map(({ type, text }) => text ?? `[${type}]`).join("\n");
