// The prefix of virtual commands, known without loading the layers: every shell line of an agent is tested for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fingerprint } from "../../config/fingerprint.ts";
import { pathName } from "../../config/path-name.ts";
import type { Paths } from "../../config/paths.ts";
import { LAYER_FOLDER } from "../../config/project-root.ts";
import { replaceCache } from "../../config/replace-file.ts";
import { DEFAULT_PREFIX } from "../../config/settings.ts";
import { readIfThere, trustFolder } from "../../config/trust-store.ts";
import { VERSION } from "../../version.ts";

export interface PrefixPlace {
  readonly paths: Paths;
  readonly root: string;
}

/** `look` reads the settings themselves, when what is kept does not count any more. */
export async function findPrefix(place: PrefixPlace, look: () => Promise<string>): Promise<string> {
  const { stateDir, configDir } = place.paths;
  const userFile = fingerprint(join(configDir, "config.yaml"));
  if (userFile === null && !existsSync(join(place.root, LAYER_FOLDER))) return DEFAULT_PREFIX;
  // A project's settings are those of the copy in force, and that one never changes.
  const inForce = fingerprint(join(trustFolder(stateDir, place.root), "current.json"));
  const key = `${VERSION} ${configDir} ${userFile} ${inForce}\n`;
  const file = join(stateDir, "virtual", "prefix", pathName(place.root));
  const kept = readIfThere(file);
  if (kept?.startsWith(key)) return kept.slice(key.length);
  const prefix = await look();
  replaceCache(file, key + prefix);
  return prefix;
}
