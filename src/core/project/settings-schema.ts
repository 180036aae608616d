import * as z from "zod/mini";
import { type JSONSchema, toJSONSchema } from "zod/v4/core";
import { parseDuration } from "../command/time.ts";

const text = z.string().check(z.minLength(1));

// What npm takes for a name; anything else could lead out of `node_modules`.
const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const packages = z.array(
  z.string().check(z.refine((name) => PACKAGE.test(name), "is not the name of an npm package")),
);

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);
const paramPath = z
  .string()
  .check(
    z.refine(
      (path) => path !== "" && !path.split(".").some((step) => FORBIDDEN.has(step)),
      "is not a name for a parameter",
    ),
  );

const programPath = z
  .string()
  .check(
    z.refine(
      (path) => path.startsWith("/") || path.startsWith("~/") || /^[^/\\]+$/.test(path),
      "must be an absolute path, begin with `~/`, or be a bare program name",
    ),
  );

/** A bare number is the usual mistake, so its type is not what is complained about. */
const duration = z
  .custom<string>(
    (value) => typeof value === "string" && parseDuration(value) !== null,
    "must be a duration such as `30s` or `5m`",
  )
  .check(z.meta({ type: "string", examples: ["30s", "5m"] }));

/** The closed list of keys of `config.yaml`. */
export const SETTINGS_SCHEMA = z.strictObject({
  adjutant: z.optional(z.literal(1)),
  agent: z.optional(text),
  model: z.optional(text),
  params: z.optional(z.record(paramPath, z.json())),
  plugins: z.optional(packages),
  requires_plugins: z.optional(packages),
  prefix: z.optional(
    z
      .string()
      .check(
        z.refine(
          (prefix) => /^[a-z][a-z0-9-]{0,15}$/.test(prefix),
          "must be small letters, digits and dashes, beginning with a letter, at most 16",
        ),
      ),
  ),
  agents: z.optional(z.record(text, z.strictObject({ path: programPath }))),
  mode: z.optional(z.enum(["ask", "allowlist", "auto"])),
  allow: z.optional(z.array(z.union([text, z.record(z.string(), z.json())]))),
  inbox: z.optional(z.strictObject({ hold: z.optional(duration) })),
  commands: z.optional(z.record(text, z.record(text, z.json()))),
  import_hosts: z.optional(z.array(text)),
});

/** For editors and the reference. */
export function settingsJsonSchema(): JSONSchema.BaseSchema {
  return toJSONSchema(SETTINGS_SCHEMA, { io: "input", unrepresentable: "any" });
}
