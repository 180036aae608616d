import { asAmount, asCount, asRecord, type JsonRecord } from "../json-fields.ts";
import { addTokens, UNKNOWN_USAGE, type UsageFigures, withCache, withReasoning } from "../usage.ts";

// opencode 1.18.33 gives the figures of its last step as if they were the whole prompt's.
const LAST_STEP_ONLY: ReadonlySet<string> = new Set(["OpenCode"]);

/**
 * Figures of a prompt's result. Agents differ in whether cache and reasoning are in input and output or
 * beside them; the total tells which, and where it fits neither the figures are not taken.
 */
export function readUsage(result: JsonRecord, agent: string | null): UsageFigures {
  if (agent !== null && LAST_STEP_ONLY.has(agent)) return UNKNOWN_USAGE;
  const quota = asRecord(asRecord(asRecord(result._meta).quota).token_count);
  // Gemini CLI 0.61.0 leaves the thoughts out of its output here.
  if (quota.input_tokens !== undefined)
    return { ...UNKNOWN_USAGE, input: asCount(quota.input_tokens) };
  return convertUsage(asRecord(result.usage));
}

export function convertUsage(usage: JsonRecord): UsageFigures {
  const figures: UsageFigures = {
    input: asCount(usage.inputTokens),
    output: asCount(usage.outputTokens),
    cacheRead: asCount(usage.cachedReadTokens),
    cacheWrite: asCount(usage.cachedWriteTokens),
    reasoning: asCount(usage.thoughtTokens),
  };
  const total = asCount(usage.totalTokens);
  if (total === null || total === addTokens(figures.input, figures.output)) return figures;
  const apart = withReasoning(withCache(figures));
  return total === addTokens(apart.input, apart.output) ? apart : UNKNOWN_USAGE;
}

/** What the session has cost so far, in dollars. */
export function readCost(update: JsonRecord): number | null {
  const { amount, currency } = asRecord(update.cost);
  return currency === "USD" ? asAmount(amount) : null;
}
