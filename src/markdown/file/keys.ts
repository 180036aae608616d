// The keys of front matter that are Adjutant's. All others are flags of the agent.
import * as z from "zod/mini";
import { AGENTS } from "../../agents/roster.ts";
import type { PortableSetting } from "../../agents/run/capabilities.ts";
import * as field from "../../core/load/field-schemas.ts";
import type { SplitMarkdown } from "../../core/project/front-matter.ts";
import { checkForm } from "../../core/project/schema-problem.ts";

export type SettingName = PortableSetting | "output_format";

/** Translated by the agent's adapter, so that they mean the same for every agent. */
export const SETTING_KEYS: ReadonlyMap<string, SettingName> = new Map<string, SettingName>([
  ["agent-name", "agent_name"],
  ["model", "model"],
  ["system-prompt", "system_prompt"],
  ["append-system-prompt", "append_system_prompt"],
  ["permission", "permission_mode"],
  ["allowed-tools", "allowed_tools"],
  ["denied-tools", "disallowed_tools"],
  ["max-tokens", "max_tokens"],
  ["temperature", "temperature"],
  ["max-turns", "max_turns"],
  ["resume", "resume"],
  ["output-format", "output_format"],
]);

/** Lists by nature: one value is a list of one. */
export const LIST_SETTINGS: ReadonlySet<SettingName> = new Set<SettingName>([
  "allowed_tools",
  "disallowed_tools",
]);

/** Numbers by nature: on a command line they are text. */
export const NUMBER_SETTINGS: ReadonlySet<SettingName> = new Set<SettingName>([
  "max_tokens",
  "temperature",
  "max_turns",
]);

/** What the command is and how it is run; no agent hears of it. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...["adjutant", "description", "version", "aliases", "category", "argument-hint", "examples"],
  ...["effect", "safety", "critical", "inputs", "args", "context_window"],
  ...["agent", "cassette", "timeout", "cwd", "inherit-env"],
  ...["pre", "before", "post", "after", "post_optional"],
]);

/** Fields that one agent has and no other: not for the others, and no flags of theirs either. */
export const AGENT_FIELDS: ReadonlySet<string> = new Set(
  AGENTS.flatMap(({ ownFields = [] }) => ownFields).map((field) => field.replaceAll("_", "-")),
);

export const isOwnKey = (key: string): boolean => OWN_KEYS.has(key);

/** A template may show these and never takes them away from the command. */
export const isAdjutantKey = (key: string): boolean =>
  OWN_KEYS.has(key) || SETTING_KEYS.has(key) || key === "env";

// What Adjutant's own keys may hold. The agent's flags are looked at when the agent is known.

const textField = field.word.check(z.minLength(1));
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const nameField = z
  .string()
  .check(z.refine((one) => NAME.test(one), "must be letters, digits, `_` and `-`"));

/** One command line for the shell, or several in order. */
const stepsField = z.union(
  [textField, z.array(textField)],
  "must be a command line, or a list of them",
);

const variableValue = z.nullable(
  z.union(
    [field.word, z.number(), z.boolean()],
    "must be text, a number, true or false; null takes the variable away",
  ),
);

/** As a list or text it is a flag of the agent. */
const envField = z.union(
  [z.string(), z.array(z.unknown()), z.record(field.variable, variableValue)],
  "must be a map of names and values",
);

const scalarField = z.union([z.string(), z.number(), z.boolean()], "must be one value");

const INPUT = z.nullable(
  z.strictObject({
    type: z.optional(z.enum(["text", "number", "boolean", "select", "secret"])),
    description: z.optional(field.description),
    default: z.optional(scalarField),
    required: z.optional(z.boolean()),
    options: z.optional(z.array(textField).check(z.minLength(1))),
  }),
);
export type WrittenInput = z.infer<typeof INPUT>;

const FIELDS = z.looseObject({
  adjutant: z.optional(z.literal(1)),
  description: field.description,
  version: z.optional(field.version),
  effect: z.optional(field.effect),
  safety: z.optional(field.safety),
  aliases: z.optional(field.aliases),
  category: z.optional(field.category),
  "argument-hint": z.optional(field.argumentHint),
  examples: z.optional(field.examples),
  critical: z.optional(z.boolean()),
  "inherit-env": z.optional(z.boolean()),
  timeout: z.optional(field.duration),
  agent: z.optional(textField),
  cassette: z.optional(textField),
  cwd: z.optional(textField),
  env: z.optional(envField),
  inputs: z.optional(z.record(nameField, INPUT)),
  args: z.optional(z.array(nameField)),
  pre: z.optional(stepsField),
  before: z.optional(stepsField),
  post: z.optional(stepsField),
  after: z.optional(stepsField),
  post_optional: z.optional(z.boolean()),
  context_window: z.optional(z.int().check(z.minimum(1))),
});
export type MarkdownFields = z.infer<typeof FIELDS>;

/** Throws `FileInvalid` at the key or the value that is wrong. */
export function checkFields({ frontMatter, at }: SplitMarkdown): MarkdownFields {
  return checkForm(frontMatter, FIELDS, at);
}

export const listSteps = (...given: (string | readonly string[] | undefined)[]): string[] =>
  given.flatMap((one) => one ?? []);
