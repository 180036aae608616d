// Apart from the check of arguments, which every dispatch loads: zod's writer of JSON Schema takes 2.5 ms to read.
import { type $ZodType, toJSONSchema } from "zod/v4/core";
import type { ArgumentsSchema } from "./definition.ts";

/** JSON Schema is the one form that help, completion, the command line, MCP and forms read. */
export function describeArguments(schema: $ZodType): ArgumentsSchema {
  return toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as ArgumentsSchema;
}
