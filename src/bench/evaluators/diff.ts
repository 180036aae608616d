// What the agent changed: how much, where, and where not.
import { join } from "node:path";
import * as z from "zod/mini";
import { compareTrees, matchesPath, type TreeChange } from "../files/compare-trees.ts";
import { writePatch } from "../files/write-patch.ts";
import { type Evaluator, failGrade, passGrade, readOptionsBy } from "../suite/evaluator.ts";
import { compareFileLines, type LineChanges } from "./file-lines.ts";

const count = z.int().check(z.nonnegative());
const globs = z.array(z.string().check(z.minLength(1)));
const DIFF = z.strictObject({
  max_files_changed: z.optional(count),
  min_files_changed: z.optional(count),
  max_lines_added: z.optional(count),
  max_lines_removed: z.optional(count),
  /** At least one change must match each. */
  require: z.optional(globs),
  forbid: z.optional(globs),
  /** Bits: 0 for a change in one file, more the wider it is spread. */
  entropy: z.optional(z.strictObject({ min: z.optional(z.number()), max: z.optional(z.number()) })),
});
type Options = z.infer<typeof DIFF>;

export const diff: Evaluator<Options> = {
  type: "diff",
  description: "what was changed: how much, where, and where not",
  readOptions: readOptionsBy(DIFF),
  files: () => [],
  grade: async (options, grading) => {
    const { baseFolder, folder } = grading.snapshot;
    const changes = await compareTrees(baseFolder, folder);
    // One after the other: an agent may leave more files than can be open at once.
    const sizes: LineChanges[] = [];
    for (const { path, kind } of changes)
      sizes.push(
        await compareFileLines(
          kind === "added" ? null : join(baseFolder, path),
          kind === "removed" ? null : join(folder, path),
        ),
      );
    await grading.keep(
      "changes.patch",
      await writePatch(changes, { base: baseFolder, after: folder }),
    );
    const metrics = {
      files: changes.length,
      added: sizes.reduce((sum, { added }) => sum + added, 0),
      removed: sizes.reduce((sum, { removed }) => sum + removed, 0),
      entropy: entropyOf(sizes.map(({ added, removed }) => added + removed)),
    };
    const problems = findProblems(options, changes, metrics);
    const files = `${metrics.files} ${metrics.files === 1 ? "file" : "files"}`;
    const summary = `${files}, +${metrics.added} −${metrics.removed} lines`;
    return problems.length === 0
      ? passGrade(summary, metrics)
      : failGrade(problems.join("; "), metrics);
  },
};

type Metrics = Readonly<Record<"files" | "added" | "removed" | "entropy", number>>;

function findProblems(
  options: Options,
  changes: readonly TreeChange[],
  metrics: Metrics,
): string[] {
  const above = (what: string, value: number, limit: number | undefined): string[] =>
    limit !== undefined && value > limit ? [`${value} ${what}, at most ${limit}`] : [];
  const below = (what: string, value: number, limit: number | undefined): string[] =>
    limit !== undefined && value < limit ? [`${value} ${what}, at least ${limit}`] : [];
  const touched = (glob: string) => changes.filter(({ path }) => matchesPath(path, glob));
  return [
    ...above("files changed", metrics.files, options.max_files_changed),
    ...below("files changed", metrics.files, options.min_files_changed),
    ...above("lines added", metrics.added, options.max_lines_added),
    ...above("lines removed", metrics.removed, options.max_lines_removed),
    ...above("bits of entropy", metrics.entropy, options.entropy?.max),
    ...below("bits of entropy", metrics.entropy, options.entropy?.min),
    ...(options.require ?? [])
      .filter((glob) => touched(glob).length === 0)
      .map((glob) => `nothing in \`${glob}\` was changed`),
    ...(options.forbid ?? []).flatMap((glob) =>
      touched(glob).map(({ path, kind }) => `\`${path}\` was ${kind}`),
    ),
  ];
}

function entropyOf(sizes: readonly number[]): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const bits = sizes
    .filter((size) => size > 0)
    .reduce((sum, size) => sum - (size / total) * Math.log2(size / total), 0);
  return Math.round(bits * 1_000) / 1_000;
}
