// A `match` as people write it, in a hooks file or by itself. Loads zod, so it is loaded only where one is read.
import * as z from "zod/mini";
import { agentNameOf } from "../../agents/roster.ts";
import { quoteNames } from "../../core/command/names.ts";
import { describeIssues } from "../../core/project/schema-problem.ts";
import { SAFETIES, TOOL_KINDS } from "../../core/step/envelope.ts";
import { findClash } from "./never-matches.ts";
import type { RuleMatch } from "./rule.ts";

export const textThat = (holds: (text: string) => boolean, problem: string) =>
  z.string().check(z.refine(holds, problem));

export const text = textThat((one) => !one.includes("\0"), "holds a NUL byte");
export const filledText = text.check(z.minLength(1));

const texts = z.union(
  [filledText, z.array(filledText).check(z.minLength(1))],
  "must be text or a list of texts",
);

export const anyNameOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.union(
    [z.enum(names), z.array(z.enum(names)).check(z.minLength(1))],
    `must be one of ${quoteNames(names)}, or a list of them`,
  );

export const MATCH_SCHEMA = z.strictObject({
  agent: z.optional(texts),
  tool: z.optional(texts),
  tool_glob: z.optional(texts),
  kind: z.optional(anyNameOf(TOOL_KINDS)),
  safety: z.optional(anyNameOf(SAFETIES)),
  command: z.optional(texts),
  path: z.optional(texts),
  cwd: z.optional(texts),
});

type MatchEntry = z.infer<typeof MATCH_SCHEMA>;

export type MatchReading =
  | { readonly kind: "rule"; readonly match: RuleMatch }
  | { readonly kind: "invalid"; readonly problem: string };

/** A rule that is for every tool, or for none, is refused: nobody means it. */
export function readMatch(value: unknown): MatchReading {
  const checked = MATCH_SCHEMA.safeParse(value, { reportInput: true });
  if (!checked.success) {
    const { message } = describeIssues(checked.error.issues, MATCH_SCHEMA);
    return { kind: "invalid", problem: message };
  }
  const match = toMatch(checked.data);
  if (Object.keys(match).length === 0) return { kind: "invalid", problem: "it names nothing" };
  const clash = findClash("before_tool", match);
  return clash === null ? { kind: "rule", match } : { kind: "invalid", problem: clash };
}

export const oneOrMany = <Item extends string>(value: Item | readonly Item[]): readonly Item[] =>
  typeof value === "string" ? [value] : value;

export function toMatch(match: MatchEntry): RuleMatch {
  const { agent, tool, tool_glob, kind, safety, command, path, cwd } = match;
  return {
    ...(agent === undefined ? {} : { agent: oneOrMany(agent).map(agentNameOf) }),
    ...(tool === undefined ? {} : { tool: oneOrMany(tool) }),
    ...(tool_glob === undefined ? {} : { tool_glob: oneOrMany(tool_glob) }),
    ...(kind === undefined ? {} : { kind: oneOrMany(kind) }),
    ...(safety === undefined ? {} : { safety: oneOrMany(safety) }),
    ...(command === undefined ? {} : { command: oneOrMany(command) }),
    ...(path === undefined ? {} : { path: oneOrMany(path) }),
    ...(cwd === undefined ? {} : { cwd: oneOrMany(cwd) }),
  };
}
