import type { ConfigPlace } from "./adapter.ts";
import type { AgentCapabilities, Mode } from "./capabilities.ts";
import type { ConfigProblem, ConfigRules } from "./config-check.ts";
import { asName, type JsonRecord } from "./json-fields.ts";

const modesOf = ({ settings }: AgentCapabilities): Readonly<Record<string, Mode>> =>
  settings.permission_mode?.to === "modes" ? settings.permission_mode.modes : {};

/** A mode this agent does not know, or one that it refuses here. */
export function findModeProblem(
  { agent, capabilities }: ConfigRules,
  sound: JsonRecord,
  place: ConfigPlace,
): ConfigProblem[] {
  const name = asName(sound.permission_mode);
  if (name === null || capabilities.settings.permission_mode === undefined) return [];
  const modes = modesOf(capabilities);
  const mode = Object.hasOwn(modes, name) ? modes[name] : undefined;
  const path = "permission_mode";
  if (mode === undefined) {
    const known = Object.keys(modes).map((word) => `\`${word}\``);
    return [{ path, message: `must be one of ${known.join(", ")}` }];
  }
  const variable = mode.refusedForRootWithout;
  if (variable === undefined || !place.isRoot || place.env[variable] === "1") return [];
  const message = `\`${agent}\` refuses \`${name}\` for root; run it as another user, or set \`${variable}=1\` inside a sandbox`;
  return [{ path, message }];
}
