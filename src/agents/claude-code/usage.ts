import { asCount, asRecord, type JsonRecord } from "../json-fields.ts";
import { sumUsage, type UsageFigures, withCache } from "../usage.ts";

/**
 * The run's totals from its `result` event. `modelUsage` covers every model and stays right when a
 * budget ends the run, where `usage` is all zero (2.1.197); it is empty when no request succeeded.
 */
export function readClaudeUsage(result: JsonRecord): UsageFigures {
  const models = Object.values(asRecord(result.modelUsage)).map(asRecord);
  return withCache(sumUsage(models.map(readModel)) ?? readTotals(asRecord(result.usage)));
}

const readModel = (model: JsonRecord): UsageFigures => ({
  input: asCount(model.inputTokens),
  output: asCount(model.outputTokens),
  cacheRead: asCount(model.cacheReadInputTokens),
  cacheWrite: asCount(model.cacheCreationInputTokens),
  reasoning: asCount(model.thinkingTokens),
});

const readTotals = (usage: JsonRecord): UsageFigures => ({
  input: asCount(usage.input_tokens),
  output: asCount(usage.output_tokens),
  cacheRead: asCount(usage.cache_read_input_tokens),
  cacheWrite: asCount(usage.cache_creation_input_tokens),
  reasoning: asCount(asRecord(usage.output_tokens_details).thinking_tokens),
});
