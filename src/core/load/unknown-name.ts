// A name that nobody answers to may still be one that somebody wrote down: in a project that is not trusted, in a file that cannot be
// read, in one of a kind that is not read. Told by looking, not by loading.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type FaultReport, fault, formatFault } from "../command/fault.ts";
import { quoteNames } from "../command/names.ts";
import { isCommandName, PROGRAM_WORDS } from "../command/registry.ts";
import {
  fileErrorCode,
  listReadable,
  MAX_FILE_BYTES,
  readRegularFile,
  statOf,
} from "../project/files.ts";
import { LAYER_FOLDER } from "../project/paths.ts";
import { type FileKind, fileNamesOf } from "./command-file.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import type { LoadedLayers } from "./layers.ts";

export const TRUST_HINT = "look with `adj trust --diff`, allow with `adj trust`";

/** Throws what there is to say about it, if there is anything. */
export function explainUnknown(loaded: LoadedLayers, name: string): void {
  const { project, request, contents } = loaded;
  const { root, trust } = project;
  if (PROGRAM_WORDS.has(name)) throw fault("WordUnavailable", { word: name });
  if (!isCommandName(name)) return;
  const unread = findUnreadFile(loaded, name);
  if (unread !== null) throw fault("CommandBroken", { name, problem: formatFault(unread) });
  const isInDoubt = trust.kind === "untrusted" || trust.kind === "changed";
  if (isInDoubt && projectMentionsName(root, name, request.fileKinds)) {
    const since = trust.kind === "changed" ? "it is newer than what you trusted; " : "";
    throw fault("Untrusted", { root, name }, { hint: since + TRUST_HINT });
  }
  for (const { source } of contents) refuseOtherKind(source, name, request.fileKinds);
}

/** What is wrong with a whole file of commands that has a line for the name, or may have one that nobody can see. */
export function findUnreadFile(
  { contents }: Pick<LoadedLayers, "contents">,
  name: string,
): FaultReport | null {
  if (!isCommandName(name)) return null;
  for (const { source, faults } of contents)
    for (const fileName of ["commands.yaml", "commands.yml"]) {
      const shown = join(source.shown, fileName);
      const found = faults.find(({ message }) => message.startsWith(`${shown}:`));
      if (found !== undefined && findLine(join(source.folder, fileName), name) !== "none")
        return found;
    }
  return null;
}

/** A script, say: it is started by a line of `commands.yaml`, and not by lying there. */
function refuseOtherKind(source: LayerSource, name: string, kinds: readonly FileKind[]): void {
  const file = listReadable(source.commandsFolder).find((entry) => entry.split(".", 1)[0] === name);
  if (file === undefined) return;
  const path = join(source.commandsFolder, file);
  const isFolder = statOf(path, lstatSync)?.isDirectory() === true;
  const endings = quoteNames(kinds.flatMap(({ extensions }) => extensions));
  const problem = isFolder
    ? "it is a folder, and a command is a file"
    : `it is not read: the name of a command's file ends in ${endings}`;
  const hint = `\`adj new ${name} --argv -- PROGRAM\` makes a command of a program`;
  const where = { file: showFile(source, path) };
  const reason = fault("FileInvalid", { problem }, isFolder ? { where } : { where, hint });
  throw fault("CommandBroken", { name, problem: formatFault(reason) });
}

/** There is a file of that name, or a line of `commands.yaml` that begins with it; nothing is parsed. */
export function projectMentionsName(
  root: string,
  name: string,
  kinds: readonly FileKind[],
): boolean {
  if (!isCommandName(name)) return false;
  const folder = join(root, LAYER_FOLDER);
  const hasFile = fileNamesOf(kinds, name).some(
    (fileName) => statOf(join(folder, "commands", fileName), lstatSync) !== null,
  );
  return hasFile || findLine(join(folder, "commands.yaml"), name) === "found";
}

function findLine(file: string, name: string): "found" | "none" | "unreadable" {
  const stat = statOf(file, lstatSync);
  if (stat === null) return "none";
  // A larger one cannot be trusted anyway.
  if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return "unreadable";
  const line = new RegExp(`^["']?${name}["']?[ \\t]*:`, "m");
  try {
    const text = readRegularFile(file).toString("utf8");
    if (line.test(text)) return "found";
    // UTF-16, say, which is refused as a whole.
    return text.includes("\0") ? "unreadable" : "none";
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return "unreadable";
  }
}
