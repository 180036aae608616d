// What Liquid found wrong, in our words and at the place in the user's file.
import { LiquidError } from "liquidjs";
import { Fault, fault, type Where } from "../../../command/fault.ts";
import { nearestNames } from "../../../command/nearest-names.ts";
import { engine, TAGS_OFF } from "./engine.ts";

type Locate = (offset: number) => Where;

/** Runs a step of Liquid's; a bug of ours stays what it is. */
export function withLiquidProblems<Value>(locate: Locate, step: () => Value): Value {
  try {
    return step();
  } catch (error) {
    if (!LiquidError.is(error)) throw error;
    if (error.originalError instanceof Fault) throw error.originalError;
    if (error.originalError instanceof TypeError) throw error.originalError;
    throw describe(error, locate);
  }
}

function describe(error: LiquidError, locate: Locate): Fault {
  const original = error.originalError?.message ?? error.message;
  const said = original.replace(/, (?:file:\d+, )?line:\d+, col:\d+$/, "");
  const { problem, hint } = explain(said);
  const where = locate(Number(error.token.file ?? 0) + offsetWithin(error));
  return fault("FileInvalid", { problem }, { where, hint, cause: error });
}

/** A token of a filter or an expression begins within the tag; one of a whole tag at its start. */
const offsetWithin = ({ token }: LiquidError): number =>
  token.file === undefined ? 0 : token.begin;

interface Explanation {
  readonly problem: string;
  readonly hint: string;
}

const RULES: readonly [RegExp, (name: string) => Explanation][] = [
  [/^tag "(.*)" not found$/, explainTag],
  [/^undefined filter: (.*)$/, explainFilter],
  [/^undefined variable: (.*)$/, (name) => undefinedVariable(name, [])],
  [/^tag (.*) not closed$/s, explainOpen],
  [
    /^(the body .*)$/,
    (problem) => ({ problem, hint: "show less: a part of the value, or fewer rounds of a loop" }),
  ],
  [
    /^(?:template render|memory alloc) (limit) exceeded$/,
    () => ({
      problem: "the template takes too long or too much memory",
      hint: "shorten its loops",
    }),
  ],
];

function explain(said: string): Explanation {
  for (const [pattern, rule] of RULES) {
    const name = pattern.exec(said)?.[1];
    if (name !== undefined) return rule(name);
  }
  return {
    problem: `Liquid cannot read this: ${said}`,
    hint: "mend it, or write `\\{{` or `\\{%` for the characters themselves",
  };
}

function explainTag(name: string): Explanation {
  if (TAGS_OFF.some((tag) => tag === name))
    return { problem: `the Liquid tag \`${name}\` is off`, hint: "import a file with `@./file`" };
  if (name.startsWith("end") || name === "else" || name === "elsif" || name === "when")
    return {
      problem: `\`{% ${name} %}\` closes nothing that is open here`,
      hint: "remove it, or open its block outside of code, where tags are text",
    };
  const known = Object.keys(engine.tags).filter((tag) => /^[a-z]+$/.test(tag));
  return {
    problem: `unknown Liquid tag \`${name}\`${suggest(name, known)}`,
    hint: escapeHint("{%"),
  };
}

function explainFilter(name: string): Explanation {
  const problem = `unknown Liquid filter \`${name}\`${suggest(name, Object.keys(engine.filters))}`;
  return { problem, hint: "use a filter of Liquid's" };
}

function explainOpen(tag: string): Explanation {
  const name = /[a-z]+/.exec(tag)?.[0] ?? "";
  return {
    problem: `\`{% ${name} %}\` is not closed`,
    hint: `close it with \`{% end${name} %}\`, outside of code, where tags are text`,
  };
}

/** A variable that nobody defines. */
export function undefinedVariable(name: string, known: Iterable<string>): Explanation {
  return {
    problem: `no variable \`${name}\` is defined${suggest(name, known)}`,
    hint: "name it under `inputs`, or write `\\{{` for the characters themselves",
  };
}

function suggest(name: string, known: Iterable<string>): string {
  const nearest = nearestNames(name, known).map((near) => `\`${near}\``);
  return nearest.length === 0 ? "" : `; did you mean ${nearest.join(" or ")}?`;
}

const escapeHint = (mark: string) => `write \`\\${mark}\` for the characters themselves`;
