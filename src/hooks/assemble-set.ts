// Several hooks files as one pipeline: who comes when, what counts once, what may be switched off by whom. Pure.
import type { HooksForm } from "./hooks-file.ts";
import type { HookRule } from "./rule.ts";
import { ruleKey } from "./rule-key.ts";

/** From least to most trusted, which is also the order in which they run. */
export const RANKS = ["project", "plugin", "user"] as const;

export interface RankedForm {
  readonly rank: (typeof RANKS)[number];
  readonly form: HooksForm;
}

export interface Assembled {
  readonly rules: readonly HookRule[];
  readonly warnings: readonly string[];
}

interface Ranked {
  readonly rule: HookRule;
  readonly of: RankedForm;
}

/** Forms in the order in which they run. */
export function assembleSet(forms: readonly RankedForm[]): Assembled {
  const all = forms.flatMap((of) => of.form.rules.map((rule): Ranked => ({ rule, of })));
  const counted = countOnce(all);
  const disabled = forms.flatMap((of) =>
    of.form.disable.map((wish) => ({ ...wish, of, found: findByName(counted, wish.name) })),
  );
  const off = new Set(
    disabled.flatMap(({ of, found }) => found.filter((one) => mayDisable(of, one.of))),
  );
  return {
    rules: counted.filter((one) => !off.has(one)).map(({ rule }) => rule),
    warnings: disabled.flatMap(({ name, where, of, found }) => {
      if (found.length === 0) return [`${where}: no hook is called \`${name}\``];
      if (found.some((one) => mayDisable(of, one.of))) return [];
      return [`${where}: \`${name}\` is not this file's to switch off; it stays in force`];
    }),
  };
}

const findByName = (all: readonly Ranked[], name: string): Ranked[] =>
  all.filter(({ rule }) => rule.name === name);

/** A plugin's word counts for itself, not for other plugins, and never for the user's own file. */
const mayDisable = (by: RankedForm, of: RankedForm): boolean =>
  by === of || RANKS.indexOf(by.rank) > RANKS.indexOf(of.rank);

/** Of equal entries the most trusted stays, which nobody below it can switch off. */
function countOnce(all: readonly Ranked[]): Ranked[] {
  const seen = new Set<string>();
  return all
    .toReversed()
    .filter(({ rule }) => {
      const key = ruleKey(rule);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    })
    .reverse();
}
