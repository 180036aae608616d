// What may stand in a hooks file. What belongs together is checked after this, in hooks-file.ts.
import * as z from "zod/mini";
import type { JSONSchema } from "zod/v4/core";
import type { Fault } from "../../core/command/fault.ts";
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import { parseDuration } from "../../core/command/time.ts";
import { STEPS, type StepName } from "../../core/step/step.ts";
import { builtinNames, findBuiltin } from "../builtins/builtins.ts";
import { readBuiltinOptions } from "../builtins/options.ts";
import { anyNameOf, filledText, MATCH_SCHEMA, text, textThat } from "../match/read-match.ts";
import { isAllowedUrl, type RuleRun } from "../match/rule.ts";

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MAX_NAME_LENGTH = 100;

const name = textThat(
  (one) =>
    one.trim() === one && one !== "" && !/[\p{Cc}`]/u.test(one) && one.length <= MAX_NAME_LENGTH,
  `must be one line of text without backticks, at most ${MAX_NAME_LENGTH} characters`,
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
        z.strictObject({ program: filledText, args: z.array(text) }),
      ],
      "must be one of `sh`, `bash`, `pwsh`, `cmd`, or a map with `program` and `args`",
    ),
  ),
  command: z.optional(filledText),
  url: z.optional(filledText),
  headers: z.optional(
    z.record(
      textThat((one) => HEADER.test(one), "is not the name of a header"),
      textThat((one) => !/[\r\n\0]/.test(one), "must be one line of text"),
    ),
  ),
  builtin: z.optional(filledText),
  with: z.optional(z.unknown()),
});

const ENTRY = z.strictObject({
  name,
  on: anyNameOf(STEPS),
  match: z.optional(MATCH_SCHEMA),
  run: RUN,
  timeout: z.optional(duration),
  on_error: z.optional(z.enum(["block", "skip"])),
  protocol: z.optional(z.enum(["adjutant", "claude-code"])),
  strict: z.optional(z.boolean()),
  once: z.optional(z.boolean()),
  async: z.optional(z.boolean()),
  enabled: z.optional(z.boolean()),
  unpinned: z.optional(z.boolean()),
  cwd: z.optional(filledText),
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
type RunEntry = z.infer<typeof RUN>;

export async function hooksJsonSchema(): Promise<JSONSchema.BaseSchema> {
  const { describeFile } = await import("../../core/load/file-schema.ts");
  return describeFile(HOOKS_SCHEMA);
}

// The `run` of an entry: exactly one way to run, with all that it needs.

type ReportProblem = (problem: string, path: readonly PropertyKey[], hint?: string) => Fault;

const FORMS = ["argv", "shell", "url", "builtin"] as const;

/** What goes with what. */
const COMPANIONS = [
  ["argv_windows", "argv"],
  ["command", "shell"],
  ["headers", "url"],
  ["with", "builtin"],
] as const;

export function readRunEntry(
  entry: HookEntry,
  on: readonly StepName[],
  complain: ReportProblem,
): RuleRun {
  const { run } = entry;
  refuseMixture(run, complain);
  const { argv, argv_windows, shell, command, url, headers, builtin } = run;
  if (argv !== undefined) return { type: "argv", argv, argvWindows: argv_windows ?? null };
  if (shell !== undefined) {
    if (command === undefined)
      throw complain("`shell` goes with `command`, which is missing", ["run", "shell"]);
    return { type: "shell", shell, command };
  }
  if (url !== undefined) return readHttp(url, headers ?? {}, complain);
  if (builtin !== undefined) return readBuiltin(entry, { name: builtin, on }, complain);
  throw complain(
    "it runs nothing: give `argv`, or `shell` with `command`, or `url`, or `builtin`",
    ["run"],
  );
}

function refuseMixture(run: RunEntry, complain: ReportProblem): void {
  const [first, second] = FORMS.filter((form) => run[form] !== undefined);
  if (first !== undefined && second !== undefined)
    throw complain(`give either \`${first}\` or \`${second}\`, not both`, ["run", second]);
  for (const [key, form] of COMPANIONS) {
    if (run[key] === undefined || run[form] !== undefined) continue;
    if (first !== undefined)
      throw complain(`\`${key}\` goes with \`${form}\`, not with \`${first}\``, ["run", key]);
    throw complain(`\`${key}\` goes with \`${form}\`, which is missing`, ["run", key]);
  }
}

function readHttp(
  url: string,
  headers: Readonly<Record<string, string>>,
  complain: ReportProblem,
): RuleRun {
  if (!isAllowedUrl(url))
    throw complain(`\`${url}\` is neither \`https\` nor on this machine`, ["run", "url"]);
  for (const [name, value] of Object.entries(headers))
    if (value.replaceAll(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, "").includes("${"))
      throw complain(`\`${name}\` names no variable: one is written \`$\{NAME}\``, [
        "run",
        "headers",
        name,
      ]);
  return { type: "http", url, headers };
}

interface Named {
  readonly name: string;
  readonly on: readonly StepName[];
}

function readBuiltin(entry: HookEntry, { name, on }: Named, complain: ReportProblem): RuleRun {
  const builtin = findBuiltin(name);
  if (builtin === null) throw unknownBuiltin(name, complain);
  if (entry.protocol === "claude-code")
    throw complain("`protocol` is for handlers of your own, not for a builtin", ["protocol"]);
  const step = on.find((one) => !builtin.steps.includes(one));
  if (step !== undefined)
    throw complain(
      `\`${name}\` has nothing to say at \`${step}\``,
      ["on"],
      `it is for ${quoteNames(builtin.steps)}`,
    );
  const reading = readBuiltinOptions(name, entry.run.with);
  if (reading.kind === "invalid") throw complain(reading.problem, ["run", "with", ...reading.path]);
  const { options } = reading;
  return { type: "builtin", builtin: name, with: entry.run.with ?? null, options };
}

function unknownBuiltin(name: string, complain: ReportProblem): Fault {
  const known = builtinNames();
  return complain(
    `unknown builtin \`${name}\`${didYouMean(name, known)}`,
    ["run", "builtin"],
    `known are ${quoteNames(known)}`,
  );
}
