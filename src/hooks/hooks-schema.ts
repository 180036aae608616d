// What may stand in a hooks file. What belongs together is checked after this, in hooks-file.ts.
import * as z from "zod/mini";
import { type JSONSchema, toJSONSchema } from "zod/v4/core";
import { TOOL_KINDS } from "../agents/tool-kind.ts";
import { parseDuration } from "../command/duration.ts";
import { SAFETIES } from "./envelope.ts";
import { STEPS } from "./step.ts";

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LONGEST_NAME = 100;

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const textThat = (holds: (text: string) => boolean, problem: string) =>
  z.string().check(z.refine(holds, problem));

const text = textThat((one) => !one.includes("\0"), "holds a NUL byte");
const someText = text.check(z.minLength(1));

const name = textThat(
  (one) =>
    one.trim() === one && one !== "" && !/[\p{Cc}`]/u.test(one) && one.length <= LONGEST_NAME,
  `must be one line of text without backticks, at most ${LONGEST_NAME} characters`,
);

const texts = z.union(
  [someText, z.array(someText).check(z.minLength(1))],
  "must be text or a list of texts",
);

const anyOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.union(
    [z.enum(names), z.array(z.enum(names)).check(z.minLength(1))],
    `must be one of ${list(names)}, or a list of them`,
  );

/** A bare number is the usual mistake, so its type is not what is complained about. */
const duration = z
  .custom<string>(
    (value) => typeof value === "string" && parseDuration(value) !== null,
    "must be a duration such as `250ms`, `5s` or `10m`",
  )
  .check(z.meta({ type: "string", examples: ["250ms", "5s", "10m"] }));

const argv = z.array(text).check(
  z.minLength(1),
  z.refine((words) => words[0] !== "", "begins with an empty word"),
);

const RUN = z.strictObject({
  argv: z.optional(argv),
  argv_windows: z.optional(argv),
  shell: z.optional(
    z.union(
      [
        z.enum(["sh", "bash", "pwsh", "cmd"]),
        z.strictObject({ program: someText, args: z.array(text) }),
      ],
      "must be one of `sh`, `bash`, `pwsh`, `cmd`, or a map with `program` and `args`",
    ),
  ),
  command: z.optional(someText),
  url: z.optional(someText),
  headers: z.optional(
    z.record(
      textThat((one) => HEADER.test(one), "is not the name of a header"),
      textThat((one) => !/[\r\n\0]/.test(one), "must be one line of text"),
    ),
  ),
  builtin: z.optional(someText),
  with: z.optional(z.unknown()),
});

const MATCH = z.strictObject({
  agent: z.optional(texts),
  tool: z.optional(texts),
  tool_glob: z.optional(texts),
  kind: z.optional(anyOf(TOOL_KINDS)),
  safety: z.optional(anyOf(SAFETIES)),
  command: z.optional(texts),
  path: z.optional(texts),
  cwd: z.optional(texts),
});

const ENTRY = z.strictObject({
  name,
  on: anyOf(STEPS),
  match: z.optional(MATCH),
  run: RUN,
  timeout: z.optional(duration),
  on_error: z.optional(z.enum(["block", "skip"])),
  protocol: z.optional(z.enum(["adjutant", "claude-code"])),
  strict: z.optional(z.boolean()),
  once: z.optional(z.boolean()),
  async: z.optional(z.boolean()),
  enabled: z.optional(z.boolean()),
  cwd: z.optional(someText),
  env: z.optional(
    z.record(
      textThat((one) => VARIABLE.test(one), "is not the name of a variable"),
      z.union([text, z.number(), z.boolean()], "must be text, a number, or true or false"),
    ),
  ),
  inherit_env: z.optional(z.boolean()),
});

export const HOOKS_SCHEMA = z.strictObject({
  adjutant: z.optional(z.literal(1)),
  hooks: z.optional(z.array(ENTRY)),
  disable: z.optional(z.array(name)),
});

export type HookEntry = z.infer<typeof ENTRY>;
export type RunEntry = z.infer<typeof RUN>;
export type MatchEntry = z.infer<typeof MATCH>;

/** For editors and the reference. */
export function hooksJsonSchema(): JSONSchema.BaseSchema {
  return toJSONSchema(HOOKS_SCHEMA, { io: "input", unrepresentable: "any" });
}
