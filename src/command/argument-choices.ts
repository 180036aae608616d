import type { ArgumentSchema } from "./arguments-schema.ts";

/** The values an argument (or each value of a list) is limited to; null where any will do. */
export function choicesOf(schema: ArgumentSchema): readonly string[] | null {
  if (schema.enum !== undefined) return schema.enum.map(String);
  if (schema.items !== undefined) return choicesOf(schema.items);
  const forms = (schema.anyOf ?? []).filter((form) => form.type !== "null");
  const choices = forms.map(choicesOf);
  if (choices.length === 0 || choices.includes(null)) return null;
  return choices.flatMap((some) => some ?? []);
}
