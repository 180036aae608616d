// Masks secrets in what goes to a tool, to the model, or comes back from a tool.
import { maskSecrets, secretValues } from "../../command/secrets.ts";
import type { Envelope } from "../envelope.ts";
import type { StepName } from "../step.ts";
import type { Verdict } from "../verdict.ts";
import type { Builtin } from "./builtin.ts";
import { mapTexts } from "./map-texts.ts";
import { readFields, texts } from "./read-fields.ts";

interface RedactOptions {
  readonly variables: readonly string[];
}

const STEPS: readonly StepName[] = ["before_prompt", "before_tool", "after_tool", "before_command"];

export const redact: Builtin<RedactOptions> = {
  name: "redact",
  description: "masks secrets in the prompt, the tool's arguments or its output",
  steps: STEPS,
  readOptions: (raw) => readFields(raw, { variables: texts([]) }),
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
  const args = mapTexts(envelope.args, mask);
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
