import { statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { InstallPlace, InstallScope } from "../../hooks/install/installer.ts";

export interface ImportPlace {
  readonly scope: InstallScope;
  readonly place: InstallPlace;
  readonly layerFolder: string;
}

/**
 * Agents read a path from the folder they work in, we from the command's own folder: of a user's command
 * only paths from home and from the root stay what they are.
 */
export function findImportPath(
  path: string,
  { scope, place, layerFolder }: ImportPlace,
): string | null {
  if (path === "") return null;
  if (path.startsWith("~/")) return isFile(join(place.home, path.slice(2))) ? path : null;
  if (isAbsolute(path)) return isFile(path) ? path : null;
  if (scope === "user" || !isFile(join(place.root, path))) return null;
  const found = relative(join(layerFolder, "commands"), join(place.root, path));
  return found.startsWith("../") ? found : `./${found}`;
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;
