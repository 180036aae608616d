// Changes of params: read from words, checked as a whole, applied as a whole.
import type { JsonValue, SessionState } from "../core/command/context.ts";
import { nearestNames } from "../core/command/words.ts";
import { findSecretValue, parseParamValue } from "../core/project/param-value.ts";
import { looksSecret } from "../core/secrets/mask.ts";

interface ParamWords {
  /** `path=value` */
  readonly assignments: readonly string[];
  readonly unset: readonly string[];
  readonly reset: boolean;
}

export interface ParamChange {
  readonly set: ReadonlyMap<string, JsonValue>;
  readonly unset: readonly string[];
  readonly reset: boolean;
}

export type ParamDecision<Value> =
  | { readonly kind: "accepted"; readonly value: Value }
  /** What is wrong, and what to do about it. Values are not repeated: one may be a secret. */
  | { readonly kind: "refused"; readonly problem: string; readonly hint: string };

const refuse = (problem: string, hint: string) => ({ kind: "refused", problem, hint }) as const;

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

export function readParamChange(words: ParamWords): ParamDecision<ParamChange> {
  const set = new Map<string, JsonValue>();
  for (const word of words.assignments) {
    const assignment = readAssignment(word);
    if (assignment.kind === "refused") return assignment;
    const { path, value } = assignment.value;
    if (set.has(path)) return refuse(`\`${path}\` is given twice`, "give it once");
    set.set(path, value);
  }
  for (const path of words.unset) {
    const problem = findPathProblem(path);
    if (problem !== null) return problem;
    if (set.has(path)) return refuse(`\`${path}\` is both set and unset`, "do one of them");
  }
  return { kind: "accepted", value: { set, unset: words.unset, reset: words.reset } };
}

interface Assignment {
  readonly path: string;
  readonly value: JsonValue;
}

function readAssignment(word: string): ParamDecision<Assignment> {
  const sign = word.indexOf("=");
  if (sign < 1)
    return refuse("a parameter is given as `path=value`", "for example `temperature=0.2`");
  const path = word.slice(0, sign);
  const value = parseParamValue(word.slice(sign + 1));
  const problem = findPathProblem(path) ?? findSecretValue(path, value);
  return problem ?? { kind: "accepted", value: { path, value } };
}

function findPathProblem(path: string) {
  const segments = path.split(".");
  const forbidden = segments.find((segment) => FORBIDDEN.has(segment));
  if (forbidden !== undefined)
    return refuse(`\`${forbidden}\` cannot be part of a path`, "choose another name");
  // Not repeated: a path that is none may be a secret in the wrong place.
  if (looksSecret(path)) return refuse("a path may be a secret", "give it as `path=env:NAME`");
  if (segments.every((segment) => SEGMENT.test(segment))) return null;
  return refuse("a path is names joined by dots", "for example `sampling.temperature`");
}

type Params = SessionState["params"];

/** All of it or nothing: one path that cannot be changed refuses the rest. */
export function applyParamChange(params: Params, change: ParamChange): ParamDecision<Params> {
  const next = new Map(change.reset ? [] : Object.entries(params));
  for (const path of change.unset) {
    const gone = [...next.keys()].filter((key) => key === path || key.startsWith(`${path}.`));
    if (gone.length === 0) return notSet(path, next.keys());
    for (const key of gone) next.delete(key);
  }
  for (const [path, value] of change.set) next.set(path, value);
  const clash = findClash([...next.keys()]);
  return clash ?? { kind: "accepted", value: Object.fromEntries(next) };
}

function notSet(path: string, known: Iterable<string>) {
  const [nearest] = nearestNames(path, known);
  const meant = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  return refuse(`\`${path}\` is not set${meant}`, "see what is set with `adj params`");
}

/** A path is a value or has paths below it, never both. */
function findClash(paths: readonly string[]) {
  const all = new Set(paths);
  for (const path of paths) {
    const segments = path.split(".");
    for (let length = 1; length < segments.length; length++) {
      const above = segments.slice(0, length).join(".");
      if (all.has(above))
        return refuse(
          `\`${above}\` cannot have a value while \`${path}\` has one`,
          `unset one of them first, with \`--unset\``,
        );
    }
  }
  return null;
}
