import type { Plan } from "./plan.ts";

/** What to do with a new command; `extensions` are those this version can load. */
export function listNextSteps(
  { name, kind, layer }: Plan,
  extensions: readonly string[],
): string[] {
  const isLoadable = kind !== "md" || extensions.includes(".md");
  if (!isLoadable) return ["edit it; Markdown commands are loaded by a later version of Adjutant"];
  return [
    "edit it",
    ...(layer === "project" ? ["adj trust  (a project's commands run only when trusted)"] : []),
    `adj ${name}`,
  ];
}
