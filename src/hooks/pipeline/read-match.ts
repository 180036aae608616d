// One `match` by itself, as a session or a workflow has it. Loads zod, so it is loaded only where there is a rule.
import { describeIssues } from "../../core/project/schema-problem.ts";
import { findClash } from "../match/never-matches.ts";
import type { RuleMatch } from "../match/rule.ts";
import { MATCH_SCHEMA, type MatchEntry } from "./schema.ts";

type MatchReading =
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

export const asList = <Item extends string>(value: Item | readonly Item[]): readonly Item[] =>
  typeof value === "string" ? [value] : value;

export function toMatch(match: MatchEntry): RuleMatch {
  const { agent, tool, tool_glob, kind, safety, command, path, cwd } = match;
  return {
    ...(agent === undefined ? {} : { agent: asList(agent) }),
    ...(tool === undefined ? {} : { tool: asList(tool) }),
    ...(tool_glob === undefined ? {} : { tool_glob: asList(tool_glob) }),
    ...(kind === undefined ? {} : { kind: asList(kind) }),
    ...(safety === undefined ? {} : { safety: asList(safety) }),
    ...(command === undefined ? {} : { command: asList(command) }),
    ...(path === undefined ? {} : { path: asList(path) }),
    ...(cwd === undefined ? {} : { cwd: asList(cwd) }),
  };
}
