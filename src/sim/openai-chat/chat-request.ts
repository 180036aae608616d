import * as z from "zod/mini";
import type { ModelRequest, SentMessage } from "../model-request.ts";
import { valueSchema } from "../value-schema.ts";
import type { RequestFacts } from "../wire.ts";

const content = z.optional(
  z.nullable(
    z.union([
      z.string(),
      z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) })),
    ]),
  ),
);
const message = z.looseObject({ role: z.string(), content });

const requestSchema = z.looseObject({
  model: z.optional(z.string()),
  stream: z.optional(z.nullable(z.boolean())),
  messages: z.array(message),
  tools: z.optional(
    z.array(
      z.looseObject({
        function: z.looseObject({ name: z.string(), parameters: z.optional(valueSchema) }),
      }),
    ),
  ),
  response_format: z.optional(
    z.looseObject({
      json_schema: z.optional(z.looseObject({ schema: z.optional(valueSchema) })),
    }),
  ),
});
type Message = z.output<typeof message>;

export function parseChatRequest(body: unknown, facts: RequestFacts): ModelRequest | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  const isSystem = ({ role }: Message) => role === "system" || role === "developer";
  return {
    wire: "openai-chat",
    agent: facts.agent,
    model: data.model ?? null,
    isStreaming: data.stream ?? false,
    system: data.messages.filter(isSystem).map(readContent).join("\n"),
    messages: data.messages.filter((entry) => !isSystem(entry)).map(readMessage),
    tools: (data.tools ?? []).map((tool) => ({
      name: tool.function.name,
      takesText: false,
      parameters: tool.function.parameters ?? {},
    })),
    answerSchema: data.response_format?.json_schema?.schema ?? null,
  };
}

function readMessage(entry: Message): SentMessage {
  const role = entry.role === "assistant" || entry.role === "tool" ? entry.role : "user";
  return { role, text: readContent(entry) };
}

function readContent({ content: parts }: Message): string {
  if (typeof parts === "string") return parts;
  return (parts ?? []).map(({ type, text }) => text ?? `[${type}]`).join("\n");
}
