// What was done to an agent's file, or would be, in words.
import { diffLines } from "../../core/project/line-diff.ts";
import type { HooksChange } from "../install/change.ts";

export function describeWritten(
  agent: string,
  { file, did, before, after }: HooksChange,
  { isDryRun, what }: { readonly isDryRun: boolean; readonly what: string },
): string {
  if (did === "nothing") return `${agent}: ${file} has ${what} already`;
  if (!isDryRun) return `${agent}: wrote ${file}`;
  return `${agent}: would write ${file}\n${diffLines(before ?? "", after ?? "").trimEnd()}`;
}

const DONE = { removed: "removed", changed: "took the entries out of" } as const;
const TRIED = { removed: "would remove", changed: "would take the entries out of" } as const;

export function describeRemoval(
  { agent, file, did, before, after }: HooksChange & { agent: string },
  isDryRun: boolean,
): string {
  if (did === "nothing" || did === "created") return `${agent}: nothing of Adjutant in ${file}`;
  if (!isDryRun) return `${agent}: ${DONE[did]} ${file}`;
  return `${agent}: ${TRIED[did]} ${file}\n${diffLines(before ?? "", after ?? "").trimEnd()}`;
}
