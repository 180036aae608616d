// Whether a value fits a JSON Schema. Nothing is fetched: a schema refers to itself alone.
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

export type SchemaReading =
  | { readonly kind: "schema"; readonly check: (value: unknown) => string | null }
  | { readonly kind: "invalid"; readonly problem: string };

const DRAFT_7 = /draft-0[67]\b/;

/** Strict: a keyword that is not known would ask for nothing, and nobody would hear of it. */
const OPTIONS = {
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
} as const;

export function readSchema(schema: object): SchemaReading {
  const isOld = "$schema" in schema && DRAFT_7.test(String(schema.$schema));
  const ajv = isOld ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  formats.default(ajv);
  try {
    return { kind: "schema", check: checkBy(ajv.compile(schema)) };
  } catch (error) {
    return { kind: "invalid", problem: error instanceof Error ? error.message : String(error) };
  }
}

const checkBy = (validate: ValidateFunction) => (value: unknown) => {
  try {
    return validate(value) ? null : describeError(validate.errors?.[0]);
  } catch (error) {
    // What goes too deep fits no schema that anybody means; an answer must not get out of its grade by it.
    if (error instanceof RangeError) return "it lies too deep to be checked";
    throw error;
  }
};

function describeError(error: ErrorObject | undefined): string {
  const place = error?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  return `${place === "" ? "it" : `\`${place}\``} ${error?.message ?? "does not fit"}`;
}
