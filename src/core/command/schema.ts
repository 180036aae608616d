// Raw arguments checked against a command's schema.
import { $ZodAsyncError, type $ZodIssue, type $ZodType, safeParse } from "zod/v4/core";
import { findForeignArgument, labelOf, listSchemaArguments } from "./arguments.ts";
import type { CommandSummary } from "./definition.ts";
import { fault, misuse } from "./fault.ts";
import { nearestNames, quoteNames } from "./names.ts";

/** Raw arguments → what `run` is given, or one `Usage` fault that names every problem. */
export function checkArguments(summary: CommandSummary, schema: $ZodType, raw: unknown): unknown {
  const checked = parseNow(summary.name, schema, raw);
  if (checked.success) {
    const foreign = findForeignArgument(summary.schema ?? {}, { ...Object(raw) });
    if (foreign !== null) throw misuse(summary.name, foreign);
    return checked.data;
  }
  const labels = new Map(
    listSchemaArguments(summary.schema ?? {}).map((one) => [one.key, labelOf(one)]),
  );
  const problems = checked.error.issues.map((issue) => {
    const [key, ...deeper] = issue.path;
    // Of a list the flag is named as it was typed, without the place of the value.
    const below = deeper.filter((step) => typeof step !== "number");
    const label = [labels.get(String(key)) ?? String(key ?? "arguments"), ...below].join(".");
    return `\`${label}\` ${describeIssue(issue)}`;
  });
  throw misuse(summary.name, problems.join(", "));
}

function parseNow(command: string, schema: $ZodType, raw: unknown) {
  try {
    return safeParse(schema, raw, { reportInput: true });
  } catch (error) {
    if (!(error instanceof $ZodAsyncError)) throw error;
    const problem = "its schema is asynchronous, which arguments cannot be";
    throw fault("ArgumentsInvalid", { command, problem }, { cause: error });
  }
}

/** Values are not repeated: an argument may be a secret. */
function describeIssue(issue: $ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return OWN_WORDS.test(issue.message) ? describeChoices(issue) : issue.message;
    case "unrecognized_keys":
      return `has no ${quoteNames(issue.keys)}`;
    case "too_small":
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${measure(issue.minimum, issue.origin)}`;
    case "too_big":
      return `must be ${issue.inclusive === false ? "less than" : "at most"} ${measure(issue.maximum, issue.origin)}`;
    default:
      // zod's own words made to fit the sentence; the words of a command's author stay.
      return issue.message === "Invalid input"
        ? "is not valid"
        : issue.message.replace(/^Invalid /, "is not a valid ");
  }
}

/** zod says by itself `Invalid input` or `Invalid option`; anything else are the words of the schema's author. */
const OWN_WORDS = /^Invalid (?:input|option)/;

/** The one that was meant is worth more than all of them; what was typed is not repeated here either. */
function describeChoices({ values, input }: Extract<$ZodIssue, { code: "invalid_value" }>): string {
  const choices = values.map(String);
  if (input === undefined) return `is missing; it is one of ${quoteNames(choices)}`;
  const [nearest] = typeof input === "string" ? nearestNames(input, choices) : [];
  if (nearest !== undefined) return `has no such value; did you mean \`${nearest}\`?`;
  return `must be one of ${quoteNames(choices)}`;
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

const UNITS: Readonly<Record<string, string>> = {
  string: "character",
  array: "value",
  set: "value",
};

function measure(size: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  if (unit === undefined) return String(size);
  return `${size} ${unit}${Number(size) === 1 ? "" : "s"}`;
}
