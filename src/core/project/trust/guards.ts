// Which approved state a project's guards are taken from. Commands may fall back to any of them, guards may not.
import { type GuardState, inspectTrust } from "./inspect.ts";
import { copyFolder, readNewestHash, trustFolder } from "./store.ts";

/**
 * What was approved last counts. To remove the guards is a change like any other, and so is to put back an older state:
 * it may be one without the guard.
 */
export async function inspectGuards(root: string, stateDir: string): Promise<GuardState> {
  const state = await inspectTrust(root, stateDir);
  const folder = trustFolder(stateDir, root);
  const hash = readNewestHash(folder);
  if (hash === null || state.kind === "untrusted") return state;
  const newest = { copyDir: copyFolder(folder, hash), hash };
  if (state.kind === "none") return { kind: "removed", ...newest };
  if (state.hash === hash) return state;
  const seen = { currentHash: state.hash, problem: null, isOlder: false, ...state };
  return { ...seen, kind: "changed", ...newest };
}
