import { asCount, asRecord, type JsonRecord } from "../json-fields.ts";
import { sumUsage, UNKNOWN_USAGE, type UsageFigures, withReasoning } from "../usage.ts";

/**
 * Stream figures: input has the cache reads in it, output is without the thoughts, which only the total
 * has. (Measured: prompt 1111 + answer 222 + thoughts 55 gives a total of 1388.)
 */
export function readStreamUsage(stats: JsonRecord): UsageFigures {
  const input = asCount(stats.input_tokens);
  const output = asCount(stats.output_tokens);
  const total = asCount(stats.total_tokens);
  const isWhole = input !== null && output !== null && total !== null && total >= input + output;
  return {
    input,
    output: isWhole ? total - input : output,
    cacheRead: asCount(stats.cached),
    cacheWrite: null,
    reasoning: isWhole ? total - input - output : null,
  };
}

/** Figures of the `json` format, by model. */
export function readDocumentUsage(stats: JsonRecord): UsageFigures {
  const models = Object.values(asRecord(stats.models)).map((model) => {
    const tokens = asRecord(asRecord(model).tokens);
    return withReasoning({
      input: asCount(tokens.prompt),
      output: asCount(tokens.candidates),
      cacheRead: asCount(tokens.cached),
      cacheWrite: null,
      reasoning: asCount(tokens.thoughts),
    });
  });
  return sumUsage(models) ?? UNKNOWN_USAGE;
}
