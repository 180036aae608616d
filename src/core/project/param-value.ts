// Values of params, as they are typed for a session or for the settings.
import type { JsonValue } from "../command/context.ts";
import { maskSecrets, namesSecret } from "../secrets/mask.ts";
import { parseJson } from "./json-value.ts";

const REFERENCE = /^env:[A-Za-z_][A-Za-z0-9_]*$/;

/** A JSON scalar where the text is one, else the text. Numbers that would lose digits stay text. */
export function parseParamValue(text: string): JsonValue {
  const value = parseJson(text);
  const isScalar = value !== undefined && (typeof value !== "object" || value === null);
  const isLossy =
    typeof value === "number" &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)));
  return isScalar && !isLossy ? value : text;
}

/** Why a value is not kept, null where it may be: secrets stay in the environment. `known` are values of some there. */
export function findSecretValue(path: string, value: JsonValue, known: readonly string[] = []) {
  const isReference = typeof value === "string" && REFERENCE.test(value);
  if (isReference || value === null || typeof value === "boolean") return null;
  const text = JSON.stringify(value);
  const isSecret = namesSecret(path) || maskSecrets(text, known) !== text;
  if (!isSecret) return null;
  return {
    kind: "refused",
    problem: `the value of \`${path}\` may be a secret, which is not kept`,
    hint: `put it into an environment variable and write \`${path}=env:NAME\``,
  } as const;
}
