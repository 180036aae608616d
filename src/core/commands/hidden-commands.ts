// Commands that the stage of an attached workflow takes out of lists and palettes. They can be typed all the same.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../command/fault.ts";
import type { Program } from "./bundled.ts";

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
