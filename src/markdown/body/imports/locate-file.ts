import { isAbsolute, join, relative, resolve } from "node:path";
import type { World } from "../world.ts";

/** Where a path of a Markdown command leads. */
export function locateFile(
  path: string,
  { folder, home, layerFolder }: Pick<World, "folder" | "home" | "layerFolder">,
): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  const located = isAbsolute(path) ? resolve(path) : resolve(folder, path);
  if (layerFolder === undefined) return located;
  // What was trusted with the command steers it as much as the command itself.
  const way = relative(layerFolder.shown, located);
  return way === ".." || way.startsWith("../") ? located : join(layerFolder.real, way);
}
