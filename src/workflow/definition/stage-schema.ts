// The stages of a workflow as they stand in YAML. What needs more than the form is checked where it is read.
import * as z from "zod/mini";
import { CAPABILITIES } from "../../agents/choice/choice.ts";
import { APPROVAL_MODES } from "../../core/command/context.ts";
import { duration, wholeNumber } from "../../core/load/field-schemas.ts";
import { describeFile } from "../../core/load/file-schema.ts";

/** Where a workflow is over; no stage is called so. */
export const END = "end";

const STAGE_NAME = /^[A-Za-z_][\w-]{0,63}$/;
const VARIABLE_NAME = /^[A-Za-z_]\w{0,63}$/;

const text = z.string().check(z.minLength(1));
const stageName = z
  .string()
  .check(
    z.refine(
      (name) => STAGE_NAME.test(name) && name !== END,
      "must be letters, digits, `_` and `-`, beginning with a letter, and not `end`",
    ),
  );
const variableName = z
  .string()
  .check(
    z.refine(
      (name) => VARIABLE_NAME.test(name) && !RESERVED.has(name),
      "must be letters, digits and `_`, and none of `inputs`, `stages`, `check`, `output`",
    ),
  );
const RESERVED: ReadonlySet<string> = new Set(["inputs", "stages", "check", "output"]);

const above0 = z.number("must be a number").check(
  z.refine((value) => value > 0, "must be a number above 0"),
  z.meta({ exclusiveMinimum: 0 }),
);

/** How often a stage may be entered; so no loop goes on for ever. */
const MAX_VISITS = 1_000;
const MAX_ATTEMPTS = 100;
const MAX_AT_ONCE = 256;

const BUDGET = z.strictObject({
  usd: z.optional(above0),
  tokens: z.optional(wholeNumber(1, 1_000_000_000_000)),
  calls: z.optional(wholeNumber(1, 10_000)),
  time: z.optional(duration),
});

const rules = z.optional(
  z.array(
    z.union([text, z.record(z.string(), z.unknown())], {
      error: "must be a kind of tool, or a map such as `{ kind: write, path: PLAN.md }`",
    }),
  ),
);

const ACTS = {
  prompt: z.optional(text),
  command: z.optional(text),
  workflow: z.optional(text),
  inputs: z.optional(z.record(z.string(), z.json())),
};

const CHECK = z.strictObject({
  command: z.optional(text),
  file: z.optional(text),
  output: z.optional(text),
  ask: z.optional(text),
});

const transitions = z.union(
  [text, z.array(z.strictObject({ when: z.optional(text), to: text })).check(z.minLength(1))],
  { error: "must be a stage, `end`, or a list of `{ when, to }`" },
);

const STAGE = z.strictObject({
  ...ACTS,
  ask: z.optional(text),
  choices: z.optional(z.record(text, text)),
  each: z.optional(
    z.strictObject({
      in: text,
      as: variableName,
      do: z.strictObject(ACTS),
      at_once: z.optional(wholeNumber(1, MAX_AT_ONCE)),
      isolate: z.optional(z.literal("worktree")),
    }),
  ),
  agent: z.optional(text),
  model: z.optional(text),
  mode: z.optional(z.enum(APPROVAL_MODES)),
  tools: z.optional(z.strictObject({ allow: rules, ask: rules, deny: rules })),
  conversation: z.optional(z.enum(["same", "fresh"])),
  isolate: z.optional(z.literal("worktree")),
  timeout: z.optional(duration),
  budget: z.optional(BUDGET),
  when: z.optional(text),
  check: z.optional(
    z.union([CHECK, z.array(CHECK).check(z.minLength(1))], {
      error: "must be a check such as `{ command: test }`, or a list of them",
    }),
  ),
  attempts: z.optional(wholeNumber(1, MAX_ATTEMPTS)),
  visits: z.optional(wholeNumber(1, MAX_VISITS)),
  output: z.optional(z.unknown()),
  next: z.optional(transitions),
  otherwise: z.optional(transitions),
  commands: z.optional(z.array(text)),
  hide: z.optional(z.array(text)),
});
export type StageEntry = z.infer<typeof STAGE>;

const INPUT = z.union(
  [text, z.strictObject({ description: text, default: z.optional(z.json()) })],
  { error: "must be what it is for, or a map with `description` and `default`" },
);

export const STAGE_FILE = z.strictObject({
  adjutant: z.optional(z.literal(1)),
  description: text,
  inputs: z.optional(z.record(variableName, INPUT)),
  requires: z.optional(
    z.array(z.enum(CAPABILITIES, { error: `must be one of ${CAPABILITIES.join(", ")}` })),
  ),
  agent: z.optional(text),
  model: z.optional(text),
  mode: z.optional(z.enum(APPROVAL_MODES)),
  budget: z.optional(BUDGET),
  start: text,
  stages: z
    .record(stageName, STAGE)
    .check(z.refine((stages) => Object.keys(stages).length > 0, "has no stage")),
});
export type StageFileEntry = z.infer<typeof STAGE_FILE>;
export type BudgetEntry = z.infer<typeof BUDGET>;

/** For editors, and published. */
export const workflowJsonSchema = (): object =>
  describeFile(STAGE_FILE, {
    title: "Adjutant workflow",
    description: "Stages that agents, commands and people go through, run by `adj workflow`.",
  });
