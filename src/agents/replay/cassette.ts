// A run that can be played again: what the agent said and did, step by step, without the agent.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod/mini";
import { messageOf } from "../../core/command/fault.ts";
import { quoteNames } from "../../core/command/names.ts";
import { parseDuration } from "../../core/command/time.ts";
import { describeFileError } from "../../core/project/files.ts";

const count = z.int().check(z.nonnegative());
const duration = z
  .string()
  .check(z.refine((text) => parseDuration(text) !== null, "must be a duration such as `250ms`"));
const path = z.string().check(z.minLength(1));

const ACTIONS = ["say", "shell", "write", "edit", "tool", "prompt"] as const;

const step = z
  .strictObject({
    /** Words of the agent. */
    say: z.exactOptional(z.string()),
    /** A command line, run in the workspace by `sh`. */
    shell: z.exactOptional(z.string().check(z.minLength(1))),
    /** A file of the workspace, made or replaced. */
    write: z.exactOptional(z.strictObject({ path, content: z.string() })),
    /** A text in a file of the workspace, replaced where it stands exactly once. */
    edit: z.exactOptional(
      z.strictObject({ path, old: z.string().check(z.minLength(1)), new: z.string() }),
    ),
    /** Any other tool: nothing is done, and the recorded result is its result. */
    tool: z.exactOptional(
      z.strictObject({
        name: z.string().check(z.minLength(1)),
        arguments: z.exactOptional(z.unknown()),
        result: z.exactOptional(z.string()),
        is_error: z.exactOptional(z.boolean()),
      }),
    ),
    /** What was asked here: in a conversation the next prompt, whatever it says, plays on from here. */
    prompt: z.exactOptional(z.string()),
    /** With `prompt`: words that a prompt must contain to play what follows; then the order of the parts does not count. */
    when: z.exactOptional(z.string().check(z.minLength(1))),
    /** What the recorded agent called its tool. */
    as: z.exactOptional(z.string().check(z.minLength(1))),
    /** The pause before it in real time. */
    after: z.exactOptional(duration),
  })
  .check(
    z.refine(
      (given) => ACTIONS.filter((action) => given[action] !== undefined).length === 1,
      `needs exactly one of ${quoteNames(ACTIONS)}`,
    ),
    z.refine(
      ({ when, prompt }) => when === undefined || prompt !== undefined,
      "`when` stands beside `prompt` alone",
    ),
  );

export const CASSETTE = z.strictObject({
  adjutant: z.literal(1),
  description: z.exactOptional(z.string()),
  /** The run it was made from. */
  recorded: z.exactOptional(
    z.strictObject({
      agent: z.string(),
      agent_version: z.exactOptional(z.string()),
      model: z.exactOptional(z.string()),
      prompt: z.exactOptional(z.string()),
    }),
  ),
  steps: z.array(step),
  usage: z.exactOptional(
    z.strictObject({
      input_tokens: z.exactOptional(count),
      output_tokens: z.exactOptional(count),
      cache_read_tokens: z.exactOptional(count),
      cache_write_tokens: z.exactOptional(count),
      reasoning_tokens: z.exactOptional(count),
    }),
  ),
  cost_usd: z.exactOptional(z.number().check(z.nonnegative())),
  turns: z.exactOptional(count),
  stop_reason: z.exactOptional(z.string()),
  /** Why the recorded run failed; without one it succeeded. */
  failure: z.exactOptional(z.string()),
});

export type Cassette = z.infer<typeof CASSETTE>;
export type CassetteStep = Cassette["steps"][number];

/** The steps that each prompt of a conversation plays. */
function partsOf({ steps }: Cassette): readonly (readonly CassetteStep[])[] {
  const parts: CassetteStep[][] = [];
  for (const step of steps)
    if (step.prompt !== undefined || parts.length === 0) parts.push([step]);
    else parts.at(-1)?.push(step);
  return parts;
}

/** The part for this prompt: the first whose words it contains, else the next in order; undefined where there is none. */
export function choosePart(
  cassette: Cassette,
  { prompt, earlier }: { readonly prompt: string; readonly earlier: number },
): readonly CassetteStep[] | undefined {
  const parts = partsOf(cassette);
  const isByWords = parts.some(([first]) => first?.when !== undefined);
  if (!isByWords) return parts[earlier];
  const words = prompt.toLowerCase();
  return parts.find(
    ([first]) => first?.when !== undefined && words.includes(first.when.toLowerCase()),
  );
}

/** Whether the figures of the cassette are told after it: after each part that is chosen by words, else after the last. */
export const isLastPart = (cassette: Cassette, part: readonly CassetteStep[]): boolean =>
  part[0]?.when !== undefined || cassette.steps.at(-1) === part.at(-1);

/** The published schema of a cassette file. */
export function cassetteJsonSchema(): object {
  return {
    ...z.toJSONSchema(CASSETTE, { io: "input" }),
    title: "Adjutant cassette",
    description: "A recorded run of an agent, played back by the `replay` agent.",
  };
}

// Where cassettes come from: files of users, and the bundled ones.

type LoadedCassette =
  | { readonly kind: "loaded"; readonly cassette: Cassette }
  | { readonly kind: "refused"; readonly problem: string };

/** A file, JSON or YAML; or, where there is no such file, a bundled cassette of that name. */
export async function loadCassette(path: string): Promise<LoadedCassette> {
  const text = await readFile(path, "utf8").catch((error: Error) => error);
  if (typeof text === "string") return parseCassette(text);
  const bundled = BUNDLED_CASSETTES[basename(path)];
  if (bundled !== undefined) return { kind: "loaded", cassette: bundled };
  const known = quoteNames(Object.keys(BUNDLED_CASSETTES));
  return refuse(`\`${path}\` cannot be read: ${describeFileError(text)}; bundled are ${known}`);
}

export async function parseCassette(text: string): Promise<LoadedCassette> {
  let value: unknown;
  try {
    value = text.trimStart().startsWith("{")
      ? JSON.parse(text)
      : (await import("yaml")).parse(text);
  } catch (error) {
    return refuse(messageOf(error));
  }
  const checked = CASSETTE.safeParse(value);
  if (checked.success) return { kind: "loaded", cassette: checked.data };
  const problems = checked.error.issues.map(
    (issue) => `\`${issue.path.join(".") || "cassette"}\` ${issue.message}`,
  );
  return refuse(problems.join("; "));
}

const refuse = (problem: string): LoadedCassette => ({ kind: "refused", problem });

/** Looks around in whatever folder it is played in, and changes nothing. */
const explainRepository: Cassette = {
  adjutant: 1,
  description: "Explain this repository",
  steps: [
    { say: "I will look at the files first.", after: "400ms" },
    { shell: "ls -A | head -n 20", after: "300ms" },
    {
      shell: "if [ -f README.md ]; then head -n 15 README.md; else echo 'no README.md here'; fi",
      after: "300ms",
    },
    {
      say: "This folder holds the files listed above; its README says what they are for. I read two things and changed nothing. This answer was played from a recording: no model was asked.",
      after: "600ms",
    },
  ],
  turns: 3,
  stop_reason: "end_turn",
};

const BROKEN = "export const add = (left, right) => left - right;\n";
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "./add.mjs";

test("two and two are four", () => assert.equal(add(2, 2), 4));
`;

/** Makes a small broken program, sees its test fail, mends it, sees it pass. */
const fixFailingTest: Cassette = {
  adjutant: 1,
  description: "Fix the failing test",
  steps: [
    { write: { path: "add.mjs", content: BROKEN } },
    { write: { path: "add.test.mjs", content: TEST } },
    { say: "I run the test to see how it fails.", after: "400ms" },
    { shell: "node --test add.test.mjs", after: "200ms" },
    { say: "`add` subtracts. I put a plus there.", after: "600ms" },
    { edit: { path: "add.mjs", old: "left - right", new: "left + right" }, after: "200ms" },
    { shell: "node --test add.test.mjs", after: "200ms" },
    {
      say: "The test passes now: `add` in add.mjs had a minus where a plus belongs.",
      after: "400ms",
    },
  ],
  turns: 5,
  stop_reason: "end_turn",
};

export const DEFAULT_CASSETTE = "explain-repository";

export const BUNDLED_CASSETTES: Readonly<Record<string, Cassette>> = {
  [DEFAULT_CASSETTE]: explainRepository,
  "fix-failing-test": fixFailingTest,
};
