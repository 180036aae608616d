// One entry with a matrix becomes an entry for every combination. Pure.

export type Entry = Readonly<Record<string, unknown>>;
/** Values to try, by the path of the field: `config.max_turns: [5, 20]`, `evaluators.0.weight: [1, 2]`. */
export type Matrix = Readonly<Record<string, readonly unknown[]>>;

export interface Combination {
  readonly entry: Entry;
  /** `max_turns=5,model=opus`, empty without a matrix. */
  readonly label: string;
  /** Which value of the matrix each field got. */
  readonly chosen: ReadonlyMap<string, number>;
}

export const countCombinations = (matrix: Matrix): number =>
  Object.values(matrix).reduce((count, values) => count * values.length, 1);

export function expandMatrix(entry: Entry, matrix: Matrix): readonly Combination[] {
  let combinations: readonly Combination[] = [{ entry, label: "", chosen: new Map() }];
  for (const [path, values] of Object.entries(matrix))
    combinations = combinations.flatMap((before) =>
      values.map((value, at) => ({
        entry: asMap(withField(before.entry, path.split("."), value)),
        label: [before.label, `${path.split(".").at(-1)}=${show(value, at)}`]
          .filter(Boolean)
          .join(","),
        chosen: new Map(before.chosen).set(path, at),
      })),
    );
  return combinations;
}

/** A value that makes no name is known by its place in the list. */
const show = (value: unknown, at: number): string => {
  const text = String(value);
  const isName = typeof value !== "object" && text.length <= 40 && /^[^\s[\],]+$/.test(text);
  return isName ? text : `#${at + 1}`;
};

const asMap = (value: unknown): Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

function withField(within: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (!Array.isArray(within) || !/^\d+$/.test(first)) {
    const map = asMap(within);
    return { ...map, [first]: withField(map[first], rest, value) };
  }
  const items: readonly unknown[] = within;
  const at = Number(first);
  const changed = withField(items[at], rest, value);
  return at < items.length ? items.with(at, changed) : [...items, changed];
}
