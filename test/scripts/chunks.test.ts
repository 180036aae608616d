import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const { planChunks } = await import(join(import.meta.dirname, "../../scripts/chunks.mjs"));

interface Graph {
  readonly entries: readonly string[];
  /** `a: ["b", "~c"]`: a imports b at once and c later. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
  readonly sizes?: Readonly<Record<string, number>>;
  readonly often?: Readonly<Record<string, number>>;
  readonly fileCost?: number;
}

/** Each file as its modules in the order of the alphabet, like `a+b`. */
function plan({ entries, imports, sizes = {}, often = {}, fileCost = 0 }: Graph): string[] {
  const modules = new Map(
    Object.entries(imports).map(([id, all]) => [
      id,
      {
        id,
        isEntry: entries.includes(id),
        size: sizes[id] ?? 100,
        imports: all.filter((each) => !each.startsWith("~")),
        laterImports: all.filter((each) => each.startsWith("~")).map((each) => each.slice(1)),
      },
    ]),
  );
  const files: string[][] = planChunks(modules, new Map(Object.entries(often)), fileCost);
  return files.map((file) => file.toSorted().join("+")).toSorted();
}

describe("by what is loaded when", () => {
  test("what an entry imports at once is one file with it", () => {
    expect(plan({ entries: ["a"], imports: { a: ["b"], b: ["c"], c: [] } })).toEqual(["a+b+c"]);
  });

  test("`import()` begins another file", () => {
    expect(plan({ entries: ["a"], imports: { a: ["~b"], b: ["c"], c: [] } })).toEqual(["a", "b+c"]);
  });

  test("what is there already is not put beside what comes later", () => {
    const imports = { a: ["c", "~b"], b: ["c"], c: [] };
    expect(plan({ entries: ["a"], imports })).toEqual(["a+c", "b"]);
  });

  test("what two entries share is a file of its own", () => {
    const imports = { a: ["c"], b: ["c"], c: [] };
    expect(plan({ entries: ["a", "b"], imports })).toEqual(["a", "b", "c"]);
  });

  test("only what every importer has loaded counts as there", () => {
    const imports = { a: ["c", "~d"], b: ["~d"], c: [], d: ["c"] };
    expect(plan({ entries: ["a", "b"], imports })).toEqual(["a", "b", "c", "d"]);
  });

  test("a circle of imports stays together, also one through `import()`", () => {
    const imports = { a: ["~b"], b: ["c"], c: ["b", "~a"] };
    expect(plan({ entries: ["a"], imports })).toEqual(["a", "b+c"]);
  });
});

describe("by what a file costs", () => {
  const imports = { a: ["~b", "~c"], b: ["d"], c: ["d", "e"], d: [], e: [] };

  test("files that are cheap to read stay apart", () => {
    expect(plan({ entries: ["a"], imports, fileCost: 10 })).toEqual(["a", "b", "c+e", "d"]);
  });

  test("small ones become one where reading a file costs more", () => {
    expect(plan({ entries: ["a"], imports, fileCost: 1_000 })).toEqual(["a", "b+c+d+e"]);
  });

  test("what is loaded often is not burdened with what is not", () => {
    const often = { b: 100 };
    const files = plan({ entries: ["a"], imports, often, sizes: { e: 2_000 }, fileCost: 1_000 });
    expect(files).toEqual(["a", "b+d", "c+e"]);
  });

  test("what a part needs counts with it", () => {
    const heavy = { a: ["~b", "~c"], b: ["d"], c: ["d", "f"], d: [], f: ["g"], g: [], h: ["g"] };
    const files = plan({ entries: ["a", "h"], imports: heavy, sizes: { g: 9_000 }, fileCost: 500 });
    expect(files).toEqual(["a", "b+d", "c+f", "g", "h"]);
  });

  test("an entry is never read by another", () => {
    const shared = { a: ["c"], b: ["c"], c: [] };
    expect(plan({ entries: ["a", "b"], imports: shared, fileCost: 1_000_000 })).toEqual([
      "a",
      "b",
      "c",
    ]);
  });
});

const MODULES = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Only forwards at once, as a tree without circles; later anywhere. */
const anyImports = fc
  .array(fc.tuple(fc.nat(7), fc.nat(7), fc.boolean()), { maxLength: 24 })
  .map((pairs) => {
    const imports = Object.fromEntries(MODULES.map((id): [string, string[]] => [id, []]));
    for (const [from, to, isLater] of pairs)
      if (isLater || from < to)
        imports[MODULES[from] ?? ""]?.push(`${isLater ? "~" : ""}${MODULES[to]}`);
    return imports;
  });

const anySizes = fc
  .array(fc.integer({ min: 1, max: 5_000 }), { minLength: 8, maxLength: 8 })
  .map((sizes) => Object.fromEntries(MODULES.map((id, at) => [id, sizes[at] ?? 1])));

test("whatever the imports, each module is in one file and no two files need each other", () => {
  fc.assert(
    fc.property(anyImports, anySizes, fc.nat(5_000), (imports, sizes, fileCost) => {
      const files = plan({ entries: ["a", "b"], imports, sizes, fileCost });
      expect(files.join("+").split("+").toSorted()).toEqual(MODULES);
      const fileOf = (id: string) => files.find((file) => file.split("+").includes(id)) ?? "";
      const uses = new Map(
        files.map((file) => [
          file,
          file
            .split("+")
            .flatMap((id) => imports[id] ?? [])
            .filter((id) => !id.startsWith("~"))
            .map(fileOf)
            .filter((used) => used !== file),
        ]),
      );
      for (const file of files) {
        const below = new Set(uses.get(file));
        for (const used of below) for (const next of uses.get(used) ?? []) below.add(next);
        expect(below).not.toContain(file);
      }
    }),
  );
});
