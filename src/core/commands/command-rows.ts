// The registry as rows: what a name stands for, where it comes from, what it hides.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fault, type FaultReport } from "../command/fault.ts";
import type { BrokenEntry, Definition, Resolution } from "../command/registry.ts";
import type { FoundCommand, Program } from "./bundled.ts";

type Broken = Extract<Resolution, { kind: "broken" }>;

interface PassedOver {
  readonly file: string;
  readonly problem: FaultReport;
}

export interface CommandRow {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly aliases: readonly string[];
  readonly category: string | null;
  readonly effect: string;
  readonly safety: string;
  readonly layer: string;
  readonly plugin: string | null;
  readonly file: string;
  readonly hides: readonly Definition[];
  readonly passedOver: readonly PassedOver[];
}

export interface BrokenRow {
  readonly name: string;
  readonly passedOver: readonly PassedOver[];
}

const passOver = ({ file, fault }: BrokenEntry): PassedOver => ({ file, problem: fault });

export function rowOf({ entry, at, hides, passedOver }: FoundCommand): CommandRow {
  const { name, description, version, aliases, category, effect, safety } = entry.summary;
  const { layer, plugin, file } = at;
  return {
    name,
    description,
    version,
    aliases,
    category,
    effect,
    safety,
    layer,
    plugin,
    file,
    hides,
    passedOver: passedOver.length === 0 ? NONE_PASSED_OVER : passedOver.map(passOver),
  };
}

const NONE_PASSED_OVER: readonly PassedOver[] = [];

export const brokenRowOf = ({ name, passedOver }: Broken): BrokenRow => ({
  name,
  passedOver: passedOver.map(passOver),
});

/** Paths inside the project are shown from its root; a bundled command has no file to go to. */
export function showCommandFile(
  { layer, file }: { layer: string; file: string },
  root: string,
): string {
  if (layer === "bundled") return "";
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

export const showLayer = ({ layer, plugin }: { layer: string; plugin: string | null }): string =>
  plugin === null ? layer : `plugin ${plugin}`;

export const showHidden = (hidden: readonly Definition[], root: string): string =>
  hidden.length === 0
    ? ""
    : hidden
        .map((at) => [showLayer(at), showCommandFile(at, root)].filter(Boolean).join(" "))
        .join(", ");

// Commands that the stage of an attached workflow takes out of lists and palettes. They can be typed all the same.

const NONE: ReadonlySet<string> = new Set();

/** Names and aliases, as the workflow has them. */
export function hiddenCommands(program: Program, sessionId: string): ReadonlySet<string> {
  // A list is shown before anything was stored, and also where the store is broken.
  if (!existsSync(join(program.stateDir, "state.db"))) return NONE;
  try {
    const stage = program.sessions().stages.read(sessionId);
    return stage === null || stage.hide.length === 0 ? NONE : new Set(stage.hide);
  } catch (error) {
    if (error instanceof Fault) return NONE;
    throw error;
  }
}
