// How near the outcome is to a folder or a branch, by the lines that are the same.
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import { listTreeFiles, matchesPath } from "../files/compare-trees.ts";
import { cloneGit } from "../files/git.ts";
import { type Evaluator, type Grading, gradeScore, readOptionsBy } from "../suite/evaluator.ts";
import { compareFileLines } from "./file-lines.ts";

const text = z.string().check(z.minLength(1));
const common = {
  /** From here on it passes; 1 by default: the same lines. */
  similarity: z.optional(z.number().check(z.gte(0), z.lte(1))),
  /** Only files that match one of these are looked at. */
  only: z.optional(z.array(text)),
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
    const { folder, baseFolder } = grading.snapshot;
    const wanted = await findExpected(options, grading);
    const listMeant = async (folder: string) =>
      (await listTreeFiles(folder)).filter(
        (path) => only?.some((glob) => matchesPath(path, glob)) ?? true,
      );
    const [wantedPaths, paths] = [await listMeant(wanted), await listMeant(folder)];
    if (wantedPaths.length + paths.length + (await listMeant(baseFolder)).length === 0)
      throw new Error("there is no file to compare, neither expected nor there");
    const score = await compareFolders(
      { folder: wanted, paths: new Set(wantedPaths) },
      { folder, paths: new Set(paths) },
    );
    return gradeScore(score, similarity, `${describeShare(score)} of the lines are the same`);
  },
};

/** What is not quite all is not said to be. */
const describeShare = (score: number): string =>
  `${score === 1 ? 100 : Math.floor(score * 1_000) / 10} %`;

interface Side {
  readonly folder: string;
  readonly paths: ReadonlySet<string>;
}

async function compareFolders(wanted: Side, found: Side): Promise<number> {
  let common = 0;
  let all = 0;
  for (const path of new Set([...wanted.paths, ...found.paths])) {
    const [isWanted, isFound] = [wanted.paths.has(path), found.paths.has(path)];
    const changes = await compareFileLines(
      isWanted ? join(wanted.folder, path) : null,
      isFound ? join(found.folder, path) : null,
    );
    const lines = changes.added + changes.removed + 2 * changes.common;
    common += 2 * changes.common;
    all += lines;
    // An empty file has no line to be told by, but is there or is not.
    if (lines > 0) continue;
    all += Number(isWanted) + Number(isFound);
    common += isWanted && isFound ? 2 : 0;
  }
  return all === 0 ? 1 : common / all;
}

async function findExpected(options: Options, grading: Grading): Promise<string> {
  if ("tree" in options) return resolve(grading.suiteFolder, options.tree);
  const { source } = grading;
  if (source.kind !== "git") throw new Error("`branch` needs a workspace that comes from `git`");
  const folder = grading.newFolder();
  const wanted = { ...source, branch: options.branch, commit: null, history: false };
  await cloneGit(wanted, folder, grading);
  return folder;
}
