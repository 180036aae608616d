import { join, matchesGlob, resolve } from "node:path";
import * as z from "zod/mini";
import type { Evaluator, Grading } from "../evaluator.ts";
import { cloneGit } from "../trials/clone-git.ts";
import { gradeScore } from "./grade.ts";
import { compareLines, countLines } from "./line-counts.ts";
import { readOptionsBy } from "./read-options.ts";
import { listFiles } from "./tree-changes.ts";

const text = z.string().check(z.minLength(1));
const common = {
  /** From here on it passes; 1 by default: the same lines. */
  similarity: z.optional(z.number().check(z.gte(0), z.lte(1))),
  /** Only files that match one of these are looked at. */
  only: z.optional(z.array(z.string())),
};
const EXPECTED = z.union(
  [
    z.strictObject({ tree: text, ...common }),
    /** Of the repository the workspace comes from. */
    z.strictObject({ branch: text, ...common }),
  ],
  { error: "must be a map with `tree` or `branch`" },
);
type Options = z.infer<typeof EXPECTED>;

export const expected: Evaluator<Options> = {
  type: "expected",
  description: "how near the outcome is to an expected folder or branch, by its lines",
  readOptions: readOptionsBy(EXPECTED),
  files: (options) => ("tree" in options ? [options.tree] : []),
  branches: (options) => ("branch" in options ? [options.branch] : []),
  grade: async (options, grading) => {
    const { similarity = 1, only } = options;
    const { snapshot } = grading;
    const wanted = await findExpected(options, grading);
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

async function findExpected(options: Options, grading: Grading): Promise<string> {
  if ("tree" in options) return resolve(grading.suiteFolder, options.tree);
  const { source } = grading;
  if (source.kind !== "git") throw new Error("`branch` needs a workspace that comes from `git`");
  const folder = grading.newFolder();
  await cloneGit({ ...source, branch: options.branch, commit: null }, folder, grading);
  return folder;
}
