import { join, matchesGlob, resolve } from "node:path";
import * as z from "zod/mini";
import type { Evaluator } from "../evaluator.ts";
import { gradeScore } from "./grade.ts";
import { compareLines, countLines } from "./line-counts.ts";
import { readOptionsBy } from "./read-options.ts";
import { listFiles } from "./tree-changes.ts";

const EXPECTED = z.strictObject({
  tree: z.string().check(z.minLength(1)),
  /** From here on it passes; 1 by default: the same lines. */
  similarity: z.optional(z.number().check(z.gte(0), z.lte(1))),
  /** Only files that match one of these are looked at. */
  only: z.optional(z.array(z.string())),
});

export const expected: Evaluator<z.infer<typeof EXPECTED>> = {
  type: "expected",
  description: "how near the outcome is to an expected folder, by its lines",
  readOptions: readOptionsBy(EXPECTED),
  files: ({ tree }) => [tree],
  grade: async ({ tree, similarity = 1, only }, { snapshot, suiteFolder }) => {
    const wanted = resolve(suiteFolder, tree);
    const isMeant = (path: string) => only?.some((glob) => matchesGlob(path, glob)) ?? true;
    const paths = new Set([...(await listFiles(wanted)), ...(await listFiles(snapshot.folder))]);
    let common = 0;
    let all = 0;
    for (const path of [...paths].filter(isMeant)) {
      const [before, after] = [
        await countLines(join(wanted, path)),
        await countLines(join(snapshot.folder, path)),
      ];
      common += 2 * compareLines(before, after).common;
      all += before.total + after.total;
    }
    const score = all === 0 ? 1 : common / all;
    return gradeScore(score, similarity, `${(score * 100).toFixed(1)} % of the lines are the same`);
  },
};
