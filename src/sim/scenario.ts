// What a scenario file may say. The keys are closed: a misspelt one is an error, not a silent no-op.
import * as z from "zod/mini";
import { expectation } from "./expectation.ts";
import { count, duration, ordinal, someText, textMatcher } from "./scenario-value.ts";
import { scriptedFault } from "./scripted-fault.ts";
import { toolCall } from "./scripted-tool-call.ts";
import { SIM_AGENTS } from "./sim-agent.ts";

/** The words mean what they mean in a run log: caches are part of input, reasoning is part of output. */
const usage = z.strictObject({
  input_tokens: z.optional(count),
  output_tokens: z.optional(count),
  cache_read_tokens: z.optional(count),
  cache_write_tokens: z.optional(count),
  reasoning_tokens: z.optional(count),
});
export type ScriptedUsage = z.output<typeof usage>;

const AGENTS = `must be one or a list of ${SIM_AGENTS.join(", ")}`;

const condition = z.strictObject({
  /** The last message of the user. */
  user: z.optional(textMatcher),
  /** The results of the tools since the last answer. */
  tool_result: z.optional(textMatcher),
  agent: z.optional(z.union([z.enum(SIM_AGENTS), z.array(z.enum(SIM_AGENTS))], AGENTS)),
  /** The number of this request in its conversation, retries counted. */
  request: z.optional(ordinal),
});
export type Condition = z.output<typeof condition>;

const turn = z
  .strictObject({
    /** A turn whose condition does not hold is passed over. */
    when: z.optional(condition),
    fault: z.optional(scriptedFault),
    thinking: z.optional(someText),
    text: z.optional(someText),
    tool_calls: z.optional(z.array(toolCall).check(z.minLength(1))),
    usage: z.optional(usage),
    /** A pause before every event of the answer. */
    delay: z.optional(duration),
  })
  .check(
    z.refine(
      (value) => [value.fault, value.text, value.tool_calls].some((part) => part !== undefined),
      "needs `text`, `tool_calls` or `fault`",
    ),
  );
export type ScriptedTurn = z.output<typeof turn>;

export const scenarioSchema = z.strictObject({
  adjutant: z.optional(z.literal(1)),
  name: z.optional(someText),
  /** For every turn that has none of its own. */
  usage: z.optional(usage),
  turns: z.array(turn).check(z.minLength(1)),
  expect: z.optional(z.array(expectation)),
});
export type Scenario = z.output<typeof scenarioSchema>;
