import type { HookRule } from "./rule.ts";

/** The same for entries that do the same, whichever file they stand in. */
export function ruleKey(rule: HookRule): string {
  const { layer: _, file: __, line: ___, column: ____, folder, ...content } = rule;
  return JSON.stringify({ ...content, folder: usesFolder(rule) ? folder : null });
}

/** Two files may each have a `./guard` of their own. */
function usesFolder({ run }: HookRule): boolean {
  if (run.type === "argv") return run.argv.some((word) => !word.startsWith("/"));
  return run.type === "shell" && typeof run.shell === "object";
}
