// Masks secrets in what goes to a tool, to the model, or comes back from a tool.
import { MASK, maskSecrets, secretValues } from "../../core/secrets/mask.ts";
import type { Envelope, ToolArguments } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { Verdict } from "../../core/step/verdict.ts";
import type { Builtin } from "./builtin.ts";
import type { BuiltinOptions } from "./options.ts";
import { everyText } from "./payload-texts.ts";

const STEPS: readonly StepName[] = ["before_prompt", "before_tool", "after_tool", "before_command"];

export const redact: Builtin<BuiltinOptions<"redact">> = {
  name: "redact",
  description: "masks secrets in the prompt, the tool's arguments or its output",
  steps: STEPS,
  decide({ variables }, { envelope }, { env }) {
    const named = variables.flatMap((name) => env[name] ?? []);
    return decideRedaction(envelope, [...secretValues(env), ...named]);
  },
};

function decideRedaction(envelope: Envelope, exact: readonly string[]): Verdict {
  const mask = (text: string): string => maskSecrets(text, exact);
  if (envelope.step === "before_prompt") return changed("prompt", envelope.prompt, mask);
  if (envelope.step === "after_tool") return changed("output", envelope.output, mask);
  if (envelope.args === undefined) return {};
  const args = mapObject(envelope.args, mask, 0);
  return args === envelope.args ? {} : { args };
}

function changed(
  field: "prompt" | "output",
  text: string | undefined,
  mask: (text: string) => string,
): Verdict {
  if (text === undefined) return {};
  const masked = mask(text);
  return masked === text ? {} : { [field]: masked };
}

// The texts inside arguments, whatever shape a tool gives them.

/** What lies deeper is no argument that a tool knows: it is masked as a whole where it holds a secret. */
const MAX_DEPTH = 100;

type ChangeText = (text: string) => string;

/** The same object where no text changed. */
function mapObject(object: ToolArguments, change: ChangeText, depth: number): ToolArguments {
  const entries = Object.entries(object).map(([name, value]) => {
    return [change(name), mapValue(value, change, depth + 1)] as const;
  });
  const isSame = entries.every(([name, value]) => Object.is(value, object[name]));
  return isSame ? object : Object.fromEntries(entries);
}

function mapValue(value: unknown, change: ChangeText, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH)
    return [...everyText(value)].some(({ text }) => change(text) !== text) ? MASK : value;
  if (!Array.isArray(value)) {
    const copy: ToolArguments = { ...value };
    const mapped = mapObject(copy, change, depth);
    return mapped === copy ? value : mapped;
  }
  const mapped: unknown[] = value.map((each: unknown) => mapValue(each, change, depth + 1));
  return mapped.every((each, index) => Object.is(each, value[index])) ? value : mapped;
}
