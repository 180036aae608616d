export interface Criterion {
  readonly id: string;
  readonly weight: number;
}

const ITEM = /^[-*]\s+\**([A-Za-z][\w -]{0,60}?)\**\s*(?:\((?:weight\s*)?(\d+(?:\.\d+)?)\))?\s*:/;

/** The criteria are the list items of the rubric: `- correctness (2): the tests pass for the right reason`. */
export function readRubric(markdown: string): Criterion[] {
  return markdown.split("\n").flatMap((line) => {
    const match = ITEM.exec(line);
    const [, name, weight] = match ?? [];
    if (name === undefined) return [];
    return [{ id: criterionId(name), weight: Number(weight ?? 1) }];
  });
}

export const criterionId = (name: string): string =>
  name.trim().toLowerCase().replaceAll(/\s+/g, "-");

/** What keeps a rubric from deciding anything, null where it can. */
export function findRubricProblem(criteria: readonly Criterion[]): string | null {
  if (criteria.length === 0) return "has no criteria: a list, one each";
  const ids = criteria.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `has the criterion \`${twice}\` twice`;
  return criteria.some(({ weight }) => weight > 0) ? null : "has only criteria that weigh nothing";
}
