import * as z from "zod/mini";
import type { ModelRequest, OfferedTool, SentMessage } from "../model-request.ts";
import { valueSchema } from "../value-schema.ts";
import type { RequestFacts } from "../wire.ts";

const block = z.looseObject({
  type: z.string(),
  text: z.optional(z.string()),
  thinking: z.optional(z.string()),
  content: z.optional(z.unknown()),
});
const blocks = z.union([z.string(), z.array(block)]);

const requestSchema = z.looseObject({
  model: z.optional(z.string()),
  stream: z.optional(z.boolean()),
  system: z.optional(blocks),
  messages: z.array(z.looseObject({ role: z.string(), content: blocks })),
  tools: z.optional(
    z.array(z.looseObject({ name: z.string(), input_schema: z.optional(valueSchema) })),
  ),
  output_config: z.optional(
    z.looseObject({ format: z.optional(z.looseObject({ schema: z.optional(valueSchema) })) }),
  ),
});
type Blocks = z.output<typeof blocks>;

export function parseAnthropicRequest(body: unknown, facts: RequestFacts): ModelRequest | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  return {
    wire: "anthropic",
    agent: facts.agent,
    model: data.model ?? null,
    isStreaming: data.stream ?? false,
    system: readText(data.system ?? ""),
    messages: data.messages.flatMap(({ role, content }) => readMessage(role, content)),
    tools: (data.tools ?? []).map(
      ({ name, input_schema }): OfferedTool => ({
        name,
        takesText: false,
        parameters: input_schema ?? {},
      }),
    ),
    answerSchema: data.output_config?.format?.schema ?? null,
  };
}

function readMessage(role: string, content: Blocks): SentMessage[] {
  const side = role === "assistant" ? "assistant" : "user";
  if (typeof content === "string") return [{ role: side, text: content }];
  return content.map((part) =>
    part.type === "tool_result"
      ? { role: "tool", text: readUnknownText(part.content) }
      : { role: side, text: part.text ?? part.thinking ?? `[${part.type}]` },
  );
}

function readUnknownText(content: unknown): string {
  const parsed = blocks.safeParse(content);
  return parsed.success ? readText(parsed.data) : "";
}

const readText = (content: Blocks): string =>
  typeof content === "string"
    ? content
    : content.map((part) => part.text ?? `[${part.type}]`).join("\n");
