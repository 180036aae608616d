import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../support/seeded-random.ts";
import { inTier } from "../../support/tier.ts";
import { pathsOf, returned, runBody, value } from "./run-body.ts";

/** A piece of a script, as an expression that is a promise. */
type Piece =
  | { readonly kind: "agent"; readonly content: number }
  | {
      readonly kind: "parallel" | "pipeline" | "all" | "sequence" | "then" | "later" | "flows";
      readonly of: readonly Piece[];
    };

const content = fc.nat(5);
const { tree } = fc.letrec<{ tree: Piece }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant("agent" as const), content }),
    fc.record({
      kind: fc.constantFrom("parallel", "pipeline", "all", "sequence", "then", "later", "flows"),
      of: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

let calls = 0;

/** Each call has a number, by which its path is compared; in a fan-out over items the item's is part of it. */
function write(piece: Piece): string {
  if (piece.kind === "agent") {
    calls += 1;
    return `agent("${calls}/" + (typeof item === "undefined" ? "" : item) + "/${piece.content}")`;
  }
  const parts = piece.of.map(write);
  switch (piece.kind) {
    case "parallel":
      return `parallel([${parts.map((part) => `() => ${part}`)}])`;
    case "pipeline":
      return `pipeline(["a", "b"], ${parts.map((part) => `(previous, item) => ${part}`)})`;
    case "all":
      return `Promise.all([${parts}])`;
    case "sequence":
      return `(async () => { ${parts.map((part) => `await ${part};`).join(" ")} })()`;
    case "then":
      return parts.reduce((before, part) => `${before}.then(() => ${part})`);
    case "later":
      return `new Promise((resolve) => setTimeout(resolve, 1)).then(() => Promise.all([${parts}]))`;
    case "flows":
      return `Promise.all(["x", "y"].map(async (item) => { ${parts.map((part) => `await ${part};`).join(" ")} }))`;
  }
}

/** Answers what is asked in an order of its own. */
async function runInOrder(body: string, seed: number): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const waiting: (() => void)[] = [];
  const answerOne = () => {
    const [answer] = waiting.splice(Math.floor(random() * waiting.length), 1);
    answer?.();
  };
  const run = await runBody(body, {
    answer: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve(value("answer")));
        setTimeout(answerOne, random() * 3);
      }),
  });
  expect(returned(run)).toBe("done");
  return pathsOf(run).toSorted();
}

test("a call has the same path in every execution, whatever is answered first", async () => {
  const trees = inTier(12, 40);
  const rounds = inTier(1, 10);
  await fc.assert(
    fc.asyncProperty(
      fc.array(tree, { minLength: trees, maxLength: trees }),
      fc.nat(),
      async (pieces, seed) => {
        calls = 0;
        const body = `await Promise.all([${pieces.map((piece) => `(() => ${write(piece)})()`)}]); return "done";`;
        const [first, ...others] = await Promise.all(
          [0, 1, 2].map((n) => runInOrder(body, seed + n)),
        );
        expect(first?.length).toBeGreaterThan(0);
        for (const other of others) expect(other).toEqual(first);
      },
    ),
    { numRuns: rounds, endOnFailure: true },
  );
});
