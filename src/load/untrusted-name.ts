// Whether a name was meant for a project that nobody trusted yet: told by looking, not by loading.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isCommandName } from "../command/name.ts";
import { errorCode } from "../config/file-problem.ts";
import { statOf } from "../config/fingerprint.ts";
import { LAYER_FOLDER } from "../config/project-root.ts";
import { LARGEST_FILE, readRegularFile } from "../config/regular-file.ts";
import { EXTENSIONS } from "./loaders.ts";

/** There is a file of that name, or a line of `commands.yaml` that begins with it; nothing is parsed. */
export function isNameOfProject(root: string, name: string): boolean {
  if (!isCommandName(name)) return false;
  const folder = join(root, LAYER_FOLDER);
  const hasFile = EXTENSIONS.some(
    (extension) => statOf(join(folder, "commands", name + extension), lstatSync) !== null,
  );
  return hasFile || hasLine(join(folder, "commands.yaml"), name);
}

function hasLine(file: string, name: string): boolean {
  const stat = statOf(file, lstatSync);
  // A larger one cannot be trusted anyway.
  if (stat?.isFile() !== true || stat.size > LARGEST_FILE) return false;
  const line = new RegExp(`^["']?${name}["']?[ \\t]*:`, "m");
  try {
    return line.test(readRegularFile(file).toString("utf8"));
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return false;
  }
}
