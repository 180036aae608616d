// Changes of params: read from words, checked as a whole, applied as a whole.
import {
  findPathProblem,
  normalizeParamPath,
  type ParamDecision,
  type Params,
  readAssignments,
  refuseParam,
} from "../agents/choice/param-words.ts";
import { didYouMean } from "../core/command/names.ts";

interface ParamWords {
  /** `path=value` */
  readonly assignments: readonly string[];
  readonly unset: readonly string[];
  readonly reset: boolean;
}

export interface ParamChange {
  readonly set: Params;
  readonly unset: readonly string[];
  readonly reset: boolean;
}

/** `secrets` are values that are not kept, whatever they look like. */
export function readParamChange(
  words: ParamWords,
  secrets: readonly string[] = [],
): ParamDecision<ParamChange> {
  const set = readAssignments(words.assignments, secrets);
  if (set.kind === "refused") return set;
  const unset = words.unset.map(normalizeParamPath);
  for (const written of words.unset) {
    const problem = findPathProblem(written);
    if (problem !== null) return problem;
  }
  for (const path of unset)
    if (Object.hasOwn(set.value, path))
      return refuseParam(`\`${path}\` is both set and unset`, "do one of them");
  return { kind: "accepted", value: { set: set.value, unset, reset: words.reset } };
}

/** All of it or nothing: one path that cannot be changed refuses the rest. */
export function applyParamChange(params: Params, change: ParamChange): ParamDecision<Params> {
  const next = new Map(change.reset ? [] : Object.entries(params));
  for (const path of change.unset) {
    const gone = [...next.keys()].filter((key) => key === path || key.startsWith(`${path}.`));
    if (gone.length === 0) return notSet(path, next.keys());
    for (const key of gone) next.delete(key);
  }
  for (const [path, value] of Object.entries(change.set)) next.set(path, value);
  const clash = findClash([...next.keys()]);
  return clash ?? { kind: "accepted", value: Object.fromEntries(next) };
}

function notSet(path: string, known: Iterable<string>) {
  const meant = didYouMean(path, known, 1);
  return refuseParam(`\`${path}\` is not set${meant}`, "see what is set with `adj params`");
}

/** A path is a value or has paths below it, never both. */
function findClash(paths: readonly string[]) {
  const all = new Set(paths);
  for (const path of paths) {
    const segments = path.split(".");
    for (let length = 1; length < segments.length; length++) {
      const above = segments.slice(0, length).join(".");
      if (all.has(above))
        return refuseParam(
          `\`${above}\` cannot have a value while \`${path}\` has one`,
          `unset one of them first, with \`--unset\``,
        );
    }
  }
  return null;
}
