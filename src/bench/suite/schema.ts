// A suite as it is written. What depends on another field is looked at where the entry is read.
import * as z from "zod/mini";
import { duration, wholeNumber } from "../../core/load/field-schemas.ts";
import { SANDBOXES } from "./suite.ts";

const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
export const isId = (value: unknown): value is string =>
  typeof value === "string" && ID.test(value);
const text = z.string().check(z.minLength(1));
const id = z.string().check(z.refine(isId, "must be letters, digits, `.`, `_` and `-`"));
/** As on the command line. */
const MAX_REPETITIONS = 10_000;
const MAX_CONCURRENCY = 1_000;
const MAX_RATE = 1_000_000;
const dollars = z.number().check(
  z.refine((value) => value > 0, "must be a number above 0, without `$`"),
  z.meta({ exclusiveMinimum: 0 }),
);
const matrix = z.record(text, z.array(z.json()).check(z.minLength(1)));
const words = z.array(z.string());

const step = z.union([text, z.strictObject({ run: text, timeout: z.optional(duration) })], {
  error: "must be a command, or a map with `run` and `timeout`",
});

/** What an agent may do to the machine it runs on. */
const SANDBOX = {
  sandbox: z.optional(z.enum(SANDBOXES)),
  network: z.optional(z.enum(["on", "off"])),
  /** Files and folders that it sees, read-only, although they would be hidden. */
  mounts: z.optional(z.array(text)),
};

export const AGENT = z.strictObject({
  id: z.optional(id),
  agent: z.union(
    [text, z.strictObject({ type: text, config: z.optional(z.record(text, z.unknown())) })],
    {
      error: "must be the name of an agent, or a map with `type` and `config`",
    },
  ),
  model: z.optional(text),
  config: z.optional(z.record(text, z.unknown())),
  concurrency: z.optional(wholeNumber(1, MAX_CONCURRENCY)),
  rate_per_minute: z.optional(wholeNumber(1, MAX_RATE)),
  ...SANDBOX,
});

export type AgentEntry = z.infer<typeof AGENT>;

export const CASE = z.strictObject({
  id,
  tags: z.optional(z.array(text)),
  workspace: z.optional(
    z.strictObject({
      template: z.optional(text),
      git: z.optional(text),
      branch: z.optional(text),
      commit: z.optional(text),
      history: z.optional(z.enum(["commit", "none"])),
    }),
  ),
  command: z.optional(
    z.union([text, z.strictObject({ name: text, args: z.optional(words) })], {
      error: "must be the name of a command, or a map with `name` and `args`",
    }),
  ),
  prompt: z.optional(text),
  prompt_file: z.optional(text),
  setup: z.optional(z.array(step)),
  teardown: z.optional(z.array(step)),
  env: z.optional(z.array(text)),
  evaluators: z.optional(z.array(z.record(z.string(), z.unknown()))),
  solution: z.optional(text),
  timeout: z.optional(duration),
  labels: z.optional(z.array(text)),
  /** Why it cannot run, for a case that is only kept. */
  unsupported: z.optional(text),
});
export type CaseEntry = z.infer<typeof CASE>;

/** Entries keep their form until the matrix is applied. */
const entries = z.array(z.record(z.string(), z.unknown()));

export const INCLUDED = z.strictObject({
  adjutant: z.optional(z.literal(1)),
  agents: z.optional(entries),
  cases: z.optional(entries),
});

export const SUITE = z.strictObject({
  adjutant: z.optional(z.literal(1)),
  name: id,
  description: z.optional(z.string()),
  agent: z.optional(z.record(z.string(), z.unknown())),
  agents: z.optional(entries),
  cases: z.optional(entries),
  include: z.optional(z.array(text)),
  variables: z.optional(z.array(text)),
  matrix: z.optional(
    z.strictObject(
      { agents: z.optional(matrix), cases: z.optional(matrix) },
      {
        error: "must be a map with `agents` and `cases`",
      },
    ),
  ),
  ...SANDBOX,
  repeat: z.optional(wholeNumber(1, MAX_REPETITIONS)),
  limits: z.optional(
    z.strictObject({
      timeout: z.optional(duration),
      usd: z.optional(dollars),
      usd_per_trial: z.optional(dollars),
      concurrency: z.optional(wholeNumber(1, MAX_CONCURRENCY)),
      infra_retries: z.optional(wholeNumber(0, 100)),
    }),
  ),
  post: z.optional(
    z.array(
      z.strictObject({
        webhook: z.optional(text),
        append: z.optional(text),
        run: z.optional(text),
      }),
    ),
  ),
});
export type SuiteEntry = z.infer<typeof SUITE>;

export const MATRIX = matrix;
