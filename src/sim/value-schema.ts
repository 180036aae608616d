import * as z from "zod/mini";
import type { ValueSchema } from "./model-request.ts";

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
