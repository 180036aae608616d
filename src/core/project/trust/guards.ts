// Which approved state a project's guards are taken from. Commands may fall back to any of them, guards may not.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isFile, statOf } from "../files.ts";
import { LAYER_FOLDER } from "../paths.ts";
import { type GuardState, inspectTrust } from "./inspect.ts";
import { copyFolder, readApprovedHashes, readNewestHash, trustFolder } from "./store.ts";

/**
 * What was approved last counts. To remove the guards is a change like any other, and so is to put back an older state:
 * it may be one without the guard.
 */
export async function inspectGuards(root: string, stateDir: string): Promise<GuardState> {
  const state = await inspectTrust(root, stateDir);
  const folder = trustFolder(stateDir, root);
  const hash = readNewestHash(folder);
  if (hash === null) return state;
  const newest = { copyDir: copyFolder(folder, hash), hash };
  if (state.kind === "none") return { kind: "removed", ...newest };
  // What says which state its commands are taken from may be lost: its guards do not go with that.
  const known = state.kind === "untrusted" ? { hash: null, asIs: [] } : state;
  if (known.hash === hash && state.kind !== "untrusted") return state;
  const seen = { currentHash: known.hash, problem: null, isOlder: false, ...known };
  return { ...seen, kind: "changed", ...newest };
}

/** What cannot be read of a project's approval, so that nobody knows its hooks; null where nothing is lost. */
export function findLostGuards(root: string, stateDir: string): string | null {
  const folder = trustFolder(stateDir, root);
  if (statOf(folder, lstatSync) === null) return null;
  const hash = readNewestHash(folder);
  if (hash === null) return folder;
  const copy = join(copyFolder(folder, hash), HOOKS);
  return isFile(copy) || readApprovedHashes(folder, hash)?.has(HOOKS) !== true ? null : copy;
}

const HOOKS = `${LAYER_FOLDER}/hooks.yaml`;
