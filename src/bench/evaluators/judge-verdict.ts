import * as z from "zod/mini";
import { type Criterion, criterionId } from "./rubric.ts";

const MARK = z.object({
  score: z.number().check(z.gte(0), z.lte(1)),
  reason: z.optional(z.string()),
});
const VERDICT = z.object({ criteria: z.record(z.string(), z.unknown()) });

export type JudgeVerdict = ReadonlyMap<string, z.infer<typeof MARK>>;

/** Null for anything but a mark for every criterion. What else a judge says, a total even, is not looked at. */
export function readVerdict(answer: string, criteria: readonly Criterion[]): JudgeVerdict | null {
  const checked = VERDICT.safeParse(parseLastObject(answer));
  if (!checked.success) return null;
  const given = new Map(
    Object.entries(checked.data.criteria).map(([name, mark]) => [criterionId(name), mark]),
  );
  const verdict = new Map<string, z.infer<typeof MARK>>();
  for (const { id } of criteria) {
    const mark = MARK.safeParse(given.get(id));
    if (!mark.success) return null;
    verdict.set(id, mark.data);
  }
  return verdict;
}

const MOST_STARTS = 1_000;

/** The object that ends with the last brace: agents like to explain themselves around it. */
function parseLastObject(answer: string): unknown {
  const text = answer.slice(0, answer.lastIndexOf("}") + 1);
  const starts = [
    text.indexOf("{"),
    ...[...text.matchAll(/^[ \t]*\{/gm)].map(({ index }) => index),
  ];
  for (const start of starts.slice(0, MOST_STARTS))
    try {
      if (start >= 0) return JSON.parse(text.slice(start));
    } catch {
      // It may begin further down.
    }
  return undefined;
}
