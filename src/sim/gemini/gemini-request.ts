import * as z from "zod/mini";
import type { ModelRequest, SentMessage } from "../model-request.ts";
import { valueSchema } from "../value-schema.ts";
import type { RequestFacts } from "../wire.ts";

const part = z.looseObject({
  text: z.optional(z.string()),
  functionCall: z.optional(z.unknown()),
  functionResponse: z.optional(z.looseObject({ response: z.optional(z.unknown()) })),
});
const content = z.looseObject({
  role: z.optional(z.string()),
  parts: z.optional(z.array(part)),
});
const declaration = z.looseObject({
  name: z.string(),
  parameters: z.optional(valueSchema),
  parametersJsonSchema: z.optional(valueSchema),
});

const requestSchema = z.looseObject({
  contents: z.array(content),
  systemInstruction: z.optional(content),
  tools: z.optional(
    z.array(z.looseObject({ functionDeclarations: z.optional(z.array(declaration)) })),
  ),
  generationConfig: z.optional(
    z.looseObject({
      responseSchema: z.optional(valueSchema),
      responseJsonSchema: z.optional(valueSchema),
    }),
  ),
});
type Part = z.output<typeof part>;
type Content = z.output<typeof content>;

export function parseGeminiRequest(body: unknown, facts: RequestFacts): ModelRequest | null {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return null;
  const { data } = parsed;
  const declarations = (data.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
  const config = data.generationConfig;
  return {
    wire: "gemini",
    agent: facts.agent,
    model: facts.pathModel,
    isStreaming: facts.pathStreams,
    system: (data.systemInstruction?.parts ?? []).map(({ text }) => text ?? "").join("\n"),
    messages: data.contents.flatMap(readContent),
    tools: declarations.map(({ name, parameters, parametersJsonSchema }) => ({
      name,
      takesText: false,
      parameters: parametersJsonSchema ?? parameters ?? {},
    })),
    answerSchema: config?.responseJsonSchema ?? config?.responseSchema ?? null,
  };
}

const readContent = ({ role, parts }: Content): SentMessage[] =>
  (parts ?? []).map((entry) => readPart(entry, role === "model" ? "assistant" : "user"));

function readPart(entry: Part, side: "assistant" | "user"): SentMessage {
  if (entry.functionResponse !== undefined)
    return { role: "tool", text: readResponse(entry.functionResponse.response) };
  return { role: side, text: entry.text ?? `[${Object.keys(entry)[0] ?? "empty"}]` };
}

/** The text inside is what counts; its JSON form would hide it behind escapes. */
function readResponse(response: unknown): string {
  if (typeof response === "string") return response;
  if (typeof response !== "object" || response === null) return String(response ?? "");
  return Object.values(response)
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join("\n");
}
