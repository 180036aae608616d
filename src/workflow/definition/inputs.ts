// What a run of stages is given, against what the workflow asks for.

import type { JsonValue } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import type { StageWorkflow } from "./workflow.ts";

/** Every input the workflow names, with its default where none is given. Throws `InputInvalid`. */
export function completeInputs(
  { name, inputs }: Pick<StageWorkflow, "name" | "inputs">,
  given: Readonly<Record<string, JsonValue>>,
): Readonly<Record<string, JsonValue>> {
  const names = Object.keys(inputs);
  const what = `workflow \`${name}\``;
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(inputs, key));
  if (unknown !== undefined)
    throw fault(
      "InputInvalid",
      { what, problem: `it has no input \`${unknown}\`${didYouMean(unknown, names)}` },
      names.length === 0 ? { hint: "it takes none" } : { hint: `it takes ${quoteNames(names)}` },
    );
  const entries = Object.entries(inputs).map(([key, input]): [string, JsonValue] => {
    const value = Object.hasOwn(given, key) ? given[key] : input.default;
    if (value !== undefined) return [key, value];
    throw fault(
      "InputInvalid",
      { what, problem: `the input \`${key}\` is missing (${input.description})` },
      { hint: `give it with \`--input ${key}=…\`` },
    );
  });
  return Object.fromEntries(entries);
}
