// The JSON Schema of a file that people write, for editors and the reference. Apart from the fields, since zod's writer takes
// 2.5 ms to read.
import { type $ZodType, type JSONSchema, toJSONSchema } from "zod/v4/core";
import { duration } from "./field-schemas.ts";

const DURATION_PATTERN = String.raw`^\d+(\.\d+)?(ms|s|m|h|d)$`;

export function describeFile(
  schema: $ZodType,
  words: { readonly title?: string; readonly description?: string } = {},
): JSONSchema.BaseSchema {
  const described = toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // A check of our own says nothing that JSON Schema could hold.
      if (zodSchema === duration)
        Object.assign(jsonSchema, { type: "string", pattern: DURATION_PATTERN });
    },
  });
  return { ...described, ...words };
}
