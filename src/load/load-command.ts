// From an entry of the registry to a command that can run: this one file is loaded and no other.
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Command } from "../command/command.ts";
import { fault } from "../command/fault.ts";
import type { CommandEntry, Definition } from "../command/registry.ts";
import { statOf } from "../config/fingerprint.ts";
import { type LayerContent, yamlFile } from "./layer-content.ts";
import type { LoadedLayers } from "./layers.ts";
import { withinLoadLimit } from "./load-limit.ts";
import { findLoader } from "./loaders.ts";
import { unpackProgram } from "./packed-record.ts";
import { placeProgram } from "./placed-program.ts";
import { isStampAt, recordAt } from "./record-table.ts";

export async function loadCommand(
  loaded: LoadedLayers,
  entry: CommandEntry,
  at: Definition,
): Promise<Command> {
  if (at.layer === "bundled") return loaded.request.bundled.load(entry);
  const content = loaded.contents.find(
    ({ source }) => source.layer === at.layer && source.plugin === at.plugin,
  );
  if (content === undefined) throw new TypeError(`no layer ${at.layer} for ${entry.name}`);
  return entry.file === yamlFile(content.source)
    ? loadProgram(loaded, content, entry)
    : loadFile(loaded, content, entry);
}

async function loadProgram(
  { project, request }: LoadedLayers,
  { index, source }: LayerContent,
  entry: CommandEntry,
): Promise<Command> {
  const { records } = index.yaml;
  const place = records.names.indexOf(entry.name);
  const program = place < 0 ? null : unpackProgram(recordAt(records, place));
  if (program === null) throw new TypeError(`no program for ${entry.name}`);
  const { programCommand } = await import("./program-command.ts");
  if (source.boundary === null) return programCommand(program, entry.summary);
  const places = { root: project.root, copyDir: source.boundary, workingDirectory: request.cwd };
  return programCommand(placeProgram(program, places), entry.summary);
}

async function loadFile(
  { request, generation }: LoadedLayers,
  { index, source }: LayerContent,
  entry: CommandEntry,
): Promise<Command> {
  const fileName = basename(entry.file);
  const path = join(source.commandsFolder, fileName);
  const load = findLoader(source, fileName);
  if (load === null) throw new TypeError(`no loader for ${fileName}`);
  const place = index.files.names.indexOf(entry.name);
  const stat = statOf(path, statSync);
  // Written to since the index was read: then it is checked like a new one.
  const isKnown = stat !== null && isStampAt(index.files, place, stat);
  const { libraryUrl } = request.runtime;
  const { markdown } = request.bundled;
  const file = { source, path, name: entry.name, generation, libraryUrl, markdown };
  try {
    return await withinLoadLimit(entry.file, load(file, isKnown ? entry.summary : null));
  } catch (error) {
    const { describeImport } = await import("./import-problem.ts");
    const reason = describeImport(error, { source, path, text: null });
    if (reason.class === "Trust") throw reason;
    throw fault(
      "CommandBroken",
      { name: entry.name, problem: reason.message },
      { ...(reason.hint === null ? {} : { hint: reason.hint }), cause: error },
    );
  }
}
