// One entry with a matrix becomes an entry for every combination. Pure.

export type Entry = Readonly<Record<string, unknown>>;
/** Values to try, by the path of the field: `config.max_turns: [5, 20]`. */
export type Matrix = Readonly<Record<string, readonly unknown[]>>;

export interface Combination {
  readonly entry: Entry;
  /** `max_turns=5,model=opus`, empty without a matrix. */
  readonly label: string;
  /** Which value of the matrix each field got. */
  readonly chosen: ReadonlyMap<string, number>;
}

export function expandMatrix(entry: Entry, matrix: Matrix): readonly Combination[] {
  let combinations: readonly Combination[] = [{ entry, label: "", chosen: new Map() }];
  for (const [path, values] of Object.entries(matrix))
    combinations = combinations.flatMap((before) =>
      values.map((value, at) => ({
        entry: withField(before.entry, path.split("."), value),
        label: [before.label, `${path.split(".").at(-1)}=${show(value)}`].filter(Boolean).join(","),
        chosen: new Map(before.chosen).set(path, at),
      })),
    );
  return combinations;
}

const show = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

function withField(entry: Entry, [first, ...rest]: readonly string[], value: unknown): Entry {
  if (first === undefined) return entry;
  const below = entry[first];
  const inner = typeof below === "object" && below !== null && !Array.isArray(below) ? below : {};
  return {
    ...entry,
    [first]: rest.length === 0 ? value : withField(inner as Entry, rest, value),
  };
}
