import { isAbsolute } from "node:path";
import { programFiles } from "../config/program-files.ts";
import type { HookRule } from "./rule.ts";

/** The same for entries that do the same, whichever file they stand in. */
export function ruleKey(rule: HookRule): string {
  const { layer: _, file: __, line: ___, column: ____, folder, ...content } = rule;
  return JSON.stringify({ ...content, folder: usesFolder(rule) ? folder : null });
}

/** Two files may each have a `./guard` of their own. */
function usesFolder({ run }: HookRule): boolean {
  if (run.type === "argv") return hasRelative(run.argv) || hasRelative(run.argvWindows ?? []);
  if (run.type !== "shell" || typeof run.shell === "string") return false;
  return hasRelative([run.shell.program, ...run.shell.args]);
}

const hasRelative = (argv: readonly string[]): boolean =>
  programFiles(argv).some((word) => !isAbsolute(word));
