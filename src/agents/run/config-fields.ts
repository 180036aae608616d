// The fields of an agent's configuration and what each may hold, the same for all agents.
import * as z from "zod/mini";
import { parseJson } from "../../core/project/json-value.ts";
import { groupDigits } from "../log/figures.ts";

export const MAX_PROMPT_LENGTH = 1_000_000;

const isBounded = (limit: number) => (text: string) => text.length >= 1 && text.length <= limit;

const plainText = z
  .string()
  .check(z.refine((text) => !text.includes("\0"), "must not contain a NUL character"));

const boundedText = (limit: number) =>
  plainText.check(z.refine(isBounded(limit), `must have 1 to ${groupDigits(limit)} characters`));

/** A value of a flag: one that looked like a flag itself would be read as one. */
const word = boundedText(500).check(
  z.refine((text) => !text.startsWith("-"), "must not begin with `-`"),
);

const wholeUpTo = (high: number) =>
  z
    .number("must be a number")
    .check(
      z.refine(
        (value) => Number.isInteger(value) && value >= 1 && value <= high,
        `must be a whole number from 1 to ${groupDigits(high)}`,
      ),
    );

export const patternText = (pattern: RegExp, expectation: string) =>
  z.string().check(z.refine((text) => pattern.test(text), expectation));

const jsonOrPath = z.union(
  [
    boundedText(MAX_PROMPT_LENGTH).check(
      z.refine(isPathOrJson, "looks like JSON and is not valid JSON"),
    ),
    z.record(z.string(), z.unknown()),
  ],
  { error: "must be a path, JSON text or a map" },
);

function isPathOrJson(text: string): boolean {
  return !/^\s*[{[]/.test(text) || parseJson(text) !== undefined;
}

const COMMON_FIELDS = {
  /** Its length is looked at apart: a prompt that Adjutant assembled has its own budget. */
  prompt: z.optional(plainText),
  prompt_file: z.optional(boundedText(500)),
  agent_name: z.optional(
    patternText(/^[\w-]{1,100}$/, "must be 1 to 100 letters, digits, `_` and `-`"),
  ),
  model: z.optional(
    patternText(/^[^\s-]\S{0,199}$/, "must be the name of a model, without spaces"),
  ),
  system_prompt: z.optional(boundedText(50_000)),
  append_system_prompt: z.optional(boundedText(10_000)),
  permission_mode: z.optional(word),
  allowed_tools: z.optional(z.array(word)),
  disallowed_tools: z.optional(z.array(word)),
  max_tokens: z.optional(wholeUpTo(200_000)),
  temperature: z.optional(
    z
      .number("must be a number")
      .check(z.refine((value) => value >= 0 && value <= 1, "must be from 0 to 1")),
  ),
  max_turns: z.optional(wholeUpTo(10_000)),
  mcp_config: z.optional(jsonOrPath),
  settings: z.optional(jsonOrPath),
  resume: z.optional(patternText(/^[\w.:-]{1,200}$/, "must be the id of a session")),
  add_dirs: z.optional(z.array(word)),
  effort: z.optional(patternText(/^[a-z][a-z-]{0,30}$/, "must be a word such as `high`")),
  /** A path is read from the workspace before the agent's own form is made of it. */
  output_schema: z.optional(jsonOrPath),
  extra_args: z.optional(z.array(z.string())),
  output_format: z.optional(z.string()),
  allow_unsupported: z.optional(z.boolean()),
};

export type ConfigSchema = z.ZodMiniObject<typeof COMMON_FIELDS>;

/**
 * The schema of an agent that has the common fields and changes some of them; an adapter's `checkConfig` checks by its own.
 *
 * @example
 * const { success } = configSchema().safeParse({ prompt: "explain this", max_turns: 3 });
 */
export const configSchema = (changes: Partial<typeof COMMON_FIELDS> = {}): ConfigSchema =>
  z.strictObject({ ...COMMON_FIELDS, ...changes });
