import { findFlag } from "../agents/capabilities.ts";
import { extractPositionalMappings } from "./builder.ts";
import { flagOfKey } from "./flag-name.ts";
import type { FlagUse } from "./flag-use.ts";
import type { LayerValues, TranslationRequest } from "./translate-front-matter.ts";

/** The flags that positions of the command line become; the builder writes them. */
export function listMappedUses(
  { settings, file }: LayerValues,
  { agent, positions }: TranslationRequest,
): FlagUse[] {
  const merged = { ...settings, ...file };
  return Object.entries(merged).flatMap(([key, name]): FlagUse[] => {
    const [position] = extractPositionalMappings({ [key]: name }).keys();
    if (position === undefined || position > positions || typeof name !== "string") return [];
    const written = flagOfKey(name);
    const found = findFlag(agent.capabilities.flags, written);
    // Its value is not looked at here: it is the body, or a word that is still to come.
    const flag = found && { name: found.name, takes: found.takes };
    return [
      {
        kind: "flag",
        source: Object.hasOwn(file, key) ? "file" : "settings",
        key,
        value: written,
        written,
        flag,
        identities: [flag?.name ?? written],
      },
    ];
  });
}
