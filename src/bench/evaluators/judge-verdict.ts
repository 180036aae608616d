import * as z from "zod/mini";
import type { Criterion } from "./rubric.ts";

export type JudgeVerdict = ReadonlyMap<string, { readonly score: number; readonly reason: string }>;

const VERDICT = z.object({
  criteria: z.record(
    z.string(),
    z.object({ score: z.number().check(z.gte(0), z.lte(1)), reason: z.optional(z.string()) }),
  ),
});

/** Null for anything but a verdict on every criterion; a total that the judge says itself is not looked at. */
export function readVerdict(answer: string, criteria: readonly Criterion[]): JudgeVerdict | null {
  const value = parseLastObject(answer);
  const checked = VERDICT.safeParse(value);
  if (!checked.success) return null;
  const given = new Map(
    Object.entries(checked.data.criteria).map(([id, { score, reason = "" }]) => [
      id,
      { score, reason },
    ]),
  );
  return criteria.every(({ id }) => given.has(id)) ? given : null;
}

/** From the first brace to the last: agents like to explain themselves around it. */
function parseLastObject(answer: string): unknown {
  const [from, to] = [answer.indexOf("{"), answer.lastIndexOf("}")];
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(answer.slice(from, to + 1));
  } catch {
    return undefined;
  }
}
