// The options of a builtin, checked by hand: hooks are read on paths where no schema library is loaded.

import { parseDuration } from "../../command/duration.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import type { OptionsReading } from "../../command/options-reading.ts";

type FieldReading<Value> =
  | { readonly kind: "value"; readonly value: Value }
  /** Continues "`name` …". */
  | { readonly kind: "wrong"; readonly problem: string; readonly at?: number };

export type Field<Value> = (raw: unknown) => FieldReading<Value>;

type Values<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

/** Reads `with`; an unknown key or a wrong value is told with its path. */
export function readFields<Fields extends Readonly<Record<string, Field<unknown>>>>(
  raw: unknown,
  fields: Fields,
): OptionsReading<Values<Fields>> {
  const given = raw ?? {};
  if (typeof given !== "object" || Array.isArray(given)) return invalid([], "`with` must be a map");
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    return invalid([unknown], describeUnknown(unknown, Object.keys(fields)));
  const map = new Map<string, unknown>(Object.entries(given));
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const reading = field(map.get(name));
    if (reading.kind === "value") values[name] = reading.value;
    else return wrong(name, reading);
  }
  // Each value was made by the field of its name.
  return { kind: "options", options: values as Values<Fields> };
}

const invalid = (path: readonly (string | number)[], problem: string) =>
  ({ kind: "invalid", path, problem }) as const;

const wrong = (name: string, { problem, at }: { problem: string; at?: number }) =>
  invalid(at === undefined ? [name] : [name, at], `\`${name}\` ${problem}`);

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = nearestNames(name, known).map((each) => `\`${each}\``);
  if (nearest.length > 0) return `unknown key \`${name}\`; did you mean ${nearest.join(" or ")}?`;
  const list = known.map((each) => `\`${each}\``).join(", ");
  return `unknown key \`${name}\`; ${list === "" ? "this builtin has no options" : `known are ${list}`}`;
}

const value = <Value>(read: Value): FieldReading<Value> => ({ kind: "value", value: read });
const bad = (problem: string, at?: number): FieldReading<never> =>
  at === undefined ? { kind: "wrong", problem } : { kind: "wrong", problem, at };

export const optionalText: Field<string | null> = (raw) => {
  if (raw === undefined || raw === null) return value(null);
  return typeof raw === "string" && raw.trim() !== "" ? value(raw) : bad("must be text");
};

export const flag =
  (otherwise: boolean): Field<boolean> =>
  (raw) => {
    if (raw === undefined) return value(otherwise);
    return typeof raw === "boolean" ? value(raw) : bad("must be true or false");
  };

/** A list, or one text for a list of one; null makes it required. */
export const texts =
  (otherwise: readonly string[] | null): Field<readonly string[]> =>
  (raw) => {
    if (raw === undefined) return otherwise === null ? bad("is missing") : value(otherwise);
    const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
    const at = list.findIndex((each) => typeof each !== "string" || each === "");
    if (at !== -1) return bad("must be a list of texts", Array.isArray(raw) ? at : undefined);
    if (list.length === 0 && otherwise === null) return bad("is empty");
    return value(list.map(String));
  };

/** Any of a closed list. */
export const choices =
  <Choice extends string>(
    known: readonly Choice[],
    otherwise: readonly Choice[],
  ): Field<readonly Choice[]> =>
  (raw) => {
    const reading = texts(otherwise)(raw);
    if (reading.kind === "wrong") return reading;
    const chosen = reading.value.flatMap((each) => known.filter((one) => one === each));
    if (chosen.length === reading.value.length) return value(chosen);
    const names = new Set<string>(known);
    const at = reading.value.findIndex((each) => !names.has(each));
    const list = known.map((each) => `\`${each}\``).join(", ");
    return bad(`must be of ${list}`, Array.isArray(raw) ? at : undefined);
  };

export const choice =
  <Choice extends string>(known: readonly Choice[], otherwise: Choice): Field<Choice> =>
  (raw) => {
    const found = raw === undefined ? otherwise : known.find((each) => each === raw);
    const list = known.map((each) => `\`${each}\``).join(", ");
    return found === undefined ? bad(`must be one of ${list}`) : value(found);
  };

export const count: Field<number> = (raw) => {
  if (raw === undefined) return bad("is missing");
  const isCount = typeof raw === "number" && Number.isSafeInteger(raw) && raw > 0;
  return isCount ? value(raw) : bad("must be a whole number above 0");
};

/** In milliseconds; null makes it required. */
export const duration =
  (otherwise: number | null): Field<number> =>
  (raw) => {
    if (raw === undefined) return otherwise === null ? bad("is missing") : value(otherwise);
    const read = typeof raw === "string" ? parseDuration(raw) : null;
    return read === null ? bad("must be a duration such as `5s`, `10m` or `1h`") : value(read);
  };
