// Required arguments that a call lacks are asked for by the protocol, where the client can ask. It is the client's word, so it
// counts as an argument and as nobody's consent.
import {
  acceptedContent,
  type InputRequiredResult,
  type InputResponses,
  inputRequired,
} from "@modelcontextprotocol/server";
import type { CommandSummary } from "../../core/command/definition.ts";
import type { JsonRecord } from "../../core/project/json-value.ts";
import { ownProperties } from "./tools.ts";

type CompletedInputs =
  | { readonly kind: "complete"; readonly given: JsonRecord }
  | { readonly kind: "ask"; readonly result: InputRequiredResult };

interface InputsRequest {
  readonly given: JsonRecord;
  readonly canAsk: boolean;
  readonly responses: InputResponses | Record<string, unknown> | undefined;
}

const KEY = "inputs";

export function completeToolInputs(
  { name, schema }: CommandSummary,
  { given, canAsk, responses }: InputsRequest,
): CompletedInputs {
  const required = schema?.required ?? [];
  const missing = required.filter((argument) => given[argument] === undefined);
  if (missing.length === 0) return { kind: "complete", given };
  const answered = acceptedContent(responses, KEY);
  if (answered !== undefined) return { kind: "complete", given: { ...answered, ...given } };
  const fields = missing.map((argument) => [argument, fieldOf(schema?.properties, argument)]);
  // The dispatcher says what is missing, to a client that cannot ask or whose person did not answer.
  const isAskable = canAsk && responses === undefined;
  if (!isAskable || fields.some(([, field]) => field === null)) return { kind: "complete", given };
  const result = inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: `\`${name}\` needs ${missing.join(", ")}`,
        requestedSchema: {
          type: "object",
          properties: Object.fromEntries([...fields, ...listDefaults(schema, given)]),
          required: [...missing],
        },
      }),
    },
  });
  return { kind: "ask", result };
}

/** What would be taken without a word stands in the form as well, for whoever fills it in to change. */
const listDefaults = (schema: CommandSummary["schema"], given: JsonRecord) =>
  Object.entries(ownProperties(schema ?? {}))
    .filter(([name, { default: value }]) => value !== undefined && given[name] === undefined)
    .filter(([name]) => schema?.required?.includes(name) !== true)
    .map(([name]) => [name, fieldOf(schema?.properties, name)] as const)
    .filter(([, field]) => field !== null);

/** Forms of the protocol hold texts, numbers and switches; null for anything else. */
function fieldOf(
  properties: NonNullable<CommandSummary["schema"]>["properties"] | undefined,
  argument: string,
) {
  const { type, description, enum: choices, default: value } = properties?.[argument] ?? {};
  const known = ["string", "number", "integer", "boolean"].find((one) => one === type);
  if (known === undefined) return null;
  return {
    type: known,
    ...(description === undefined ? {} : { description }),
    ...(choices === undefined ? {} : { enum: choices.map(String) }),
    ...(value === undefined ? {} : { default: value }),
  };
}
