import type { Plan } from "./plan.ts";

/** What to do with a new command. */
export function listNextSteps({ name, kind, layer }: Plan): string[] {
  return [
    "edit it",
    ...(layer === "project" ? ["adj trust  (a project's commands run only when trusted)"] : []),
    kind === "md" ? `adj explain ${name}` : `adj ${name}`,
  ];
}
