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
    return [{ id: name.trim().toLowerCase().replaceAll(/\s+/g, "-"), weight: Number(weight ?? 1) }];
  });
}
