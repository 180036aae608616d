import { asCount, asRecord, type JsonRecord } from "../json-fields.ts";
import { addTokens, type UsageFigures } from "../usage.ts";

/**
 * Totals of a `result` event. Input has the cache reads in it; output has the reasoning in it except
 * behind models whose total is larger than the two together.
 */
export function readQwenUsage(result: JsonRecord): UsageFigures {
  const usage = asRecord(result.usage);
  const input = asCount(usage.input_tokens);
  const output = asCount(usage.output_tokens);
  const total = asCount(usage.total_tokens);
  const isLarger = total !== null && input !== null && output !== null && total > input + output;
  return {
    input,
    output: isLarger ? total - input : output,
    cacheRead: asCount(usage.cache_read_input_tokens),
    cacheWrite: asCount(usage.cache_creation_input_tokens),
    reasoning: readReasoning(result),
  };
}

/** Only the `json` format has it. */
function readReasoning(result: JsonRecord): number | null {
  const models = Object.values(asRecord(asRecord(result.stats).models));
  if (models.length === 0) return null;
  return addTokens(...models.map((model) => asCount(asRecord(asRecord(model).tokens).thoughts)));
}
