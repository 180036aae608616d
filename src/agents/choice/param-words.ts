// `path=value` as it is typed: for a session, for one run, for the settings.
import type { JsonValue, SessionState } from "../../core/command/context.ts";
import { findSecretValue, parseParamValue } from "../../core/project/param-value.ts";
import { looksSecret } from "../../core/secrets/mask.ts";

export type Params = SessionState["params"];

/** The path with its first name as configurations spell it: `max-turns` is `max_turns`. */
export function normalizeParamPath(path: string): string {
  const [head = "", ...below] = path.split(".");
  return [head.replaceAll("-", "_"), ...below].join(".");
}

export type ParamDecision<Value> =
  | { readonly kind: "accepted"; readonly value: Value }
  /** What is wrong, and what to do about it. Values are not repeated: one may be a secret. */
  | { readonly kind: "refused"; readonly problem: string; readonly hint: string };

export const refuseParam = (problem: string, hint: string) =>
  ({ kind: "refused", problem, hint }) as const;

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** All of them or none; a path that is given twice is none. `secrets` are values that are not kept. */
export function readAssignments(
  words: readonly string[],
  secrets: readonly string[] = [],
): ParamDecision<Params> {
  const set = new Map<string, JsonValue>();
  for (const word of words) {
    const assignment = readAssignment(word, secrets);
    if (assignment.kind === "refused") return assignment;
    const { path, value } = assignment.value;
    if (set.has(path)) return refuseParam(`\`${path}\` is given twice`, "give it once");
    set.set(path, value);
  }
  return { kind: "accepted", value: Object.fromEntries(set) };
}

interface Assignment {
  readonly path: string;
  readonly value: JsonValue;
}

function readAssignment(word: string, secrets: readonly string[]): ParamDecision<Assignment> {
  const sign = word.indexOf("=");
  if (sign < 1)
    return refuseParam("a parameter is given as `path=value`", "for example `max_turns=3`");
  const written = word.slice(0, sign);
  const path = normalizeParamPath(written);
  const value = parseParamValue(word.slice(sign + 1));
  const problem = findPathProblem(written) ?? findSecretValue(path, value, secrets);
  return problem ?? { kind: "accepted", value: { path, value } };
}

export function findPathProblem(path: string) {
  const segments = path.split(".");
  const forbidden = segments.find((segment) => FORBIDDEN.has(segment));
  if (forbidden !== undefined)
    return refuseParam(`\`${forbidden}\` cannot be part of a path`, "choose another name");
  // Not repeated: a path that is none may be a secret in the wrong place.
  if (looksSecret(path)) return refuseParam("a path may be a secret", "give it as `path=env:NAME`");
  if (segments.every((segment) => SEGMENT.test(segment))) return null;
  return refuseParam("a path is names joined by dots", "for example `settings.env.NAME`");
}
