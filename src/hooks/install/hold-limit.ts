// How long a question of a hook may wait: the agent's installed entry says it, to the agent and to the client alike, so
// that neither can take it for longer than the other.
import type { HookAbilities } from "../../agents/steps/hook-agent.ts";
import { wholeSeconds } from "../../agents/steps/installer.ts";
import { splitWords } from "../../core/command/words.ts";
import { ENTRY_LIMIT_WORD, type StepName } from "../../core/step/step.ts";
import { readEntryLimit } from "../pipeline/hook-call.ts";

/** Where a person can be asked. */
export const HELD_STEPS: ReadonlySet<StepName> = new Set(["before_tool", "before_permission"]);

/** What is kept of an entry's time for the answer: by the pipeline, and by whoever waits for the person. */
export const HOLD_SPARE_MS = 10_000;

type Limits = Pick<HookAbilities, "hookLimitMs" | "maxHookLimitMs">;

/** The limit of an entry with which a question can wait so long; null where the usual one does, or no other is possible. */
export function heldLimitOf(
  { hookLimitMs, maxHookLimitMs }: Limits,
  holdMs: number | undefined,
): number | null {
  if (maxHookLimitMs === undefined || holdMs === undefined || holdMs <= hookLimitMs - HOLD_SPARE_MS)
    return null;
  // The handlers have their usual time before anybody is asked.
  return Math.min(wholeSeconds(holdMs) * 1_000 + hookLimitMs, maxHookLimitMs);
}

/** What an entry that calls this line gives its hook; a number that is longer than the agent can be told is none. */
export function limitOfLine(
  line: string | null,
  { hookLimitMs, maxHookLimitMs = 0 }: Limits,
): number {
  const last = splitWords(line ?? "").at(-1);
  const limitMs = readEntryLimit(last?.replace(ENTRY_LIMIT_WORD, ""));
  return limitMs === undefined || limitMs > maxHookLimitMs ? hookLimitMs : limitMs;
}
