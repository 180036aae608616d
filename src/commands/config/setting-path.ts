import { fault } from "../../command/fault.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import { SETTINGS_SCHEMA } from "../../config/settings-schema.ts";

const KEYS = Object.keys(SETTINGS_SCHEMA.shape);

/** `params.a.b` is the parameter `a.b`; any other dot leads one map deeper. */
export function readKey(key: string): readonly [string, ...string[]] {
  const [first = "", ...rest] = key.split(".");
  if (!KEYS.includes(first)) throw unknownKey(first);
  if (rest.some((step) => step === ""))
    throw fault("InputInvalid", { what: `\`${key}\``, problem: "a name between dots is missing" });
  return first === "params" && rest.length > 0 ? [first, rest.join(".")] : [first, ...rest];
}

function unknownKey(key: string) {
  const [nearest] = nearestNames(key, KEYS);
  const meant = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  const hint = `known are ${KEYS.map((one) => `\`${one}\``).join(", ")}`;
  return fault(
    "InputInvalid",
    { what: `\`${key}\``, problem: `no such setting${meant}` },
    { hint },
  );
}
