// Trust of a project's layer. Its code always runs from the copy a person approved, so an edit of
// the working tree can neither slip code in nor switch anything off before it is approved too.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Fault, type FaultReport, reportFault } from "../command/fault.ts";
import { statOf } from "./fingerprint.ts";
import { pathInside } from "./named-programs.ts";
import { LAYER_FOLDER } from "./project-root.ts";
import { formatSeen, isAsSeen, knownHashes, parseSeen } from "./trust-seen.ts";
import {
  copyFolder,
  isApproved,
  readCurrentHash,
  readSeen,
  switchCurrentHash,
  trustFolder,
  writeSeen,
} from "./trust-store.ts";
import { readTree } from "./trust-tree.ts";

export type TrustState =
  /** There is no `.adjutant`. */
  | { readonly kind: "none" }
  /** Never approved; not looked into either. */
  | { readonly kind: "untrusted" }
  | { readonly kind: "trusted"; readonly copyDir: string; readonly hash: string }
  /** The working tree differs from every approved state; the copy stays in force. */
  | {
      readonly kind: "changed";
      readonly copyDir: string;
      readonly hash: string;
      /** Null when the tree is such that it cannot be trusted, for this reason. */
      readonly currentHash: string | null;
      readonly problem: FaultReport | null;
    };

/** The same for guards: where `.adjutant` was removed, those of the last approved state stay in force. */
export type GuardState =
  | TrustState
  | { readonly kind: "removed"; readonly copyDir: string; readonly hash: string };

export interface InspectOptions {
  /** A file of the working tree that is about to be used and so is always looked at. */
  readonly file?: string;
}

/** Cheap while nothing changed: a few stats. A change makes it read what changed. */
export async function inspectTrust(
  root: string,
  stateDir: string,
  options: InspectOptions = {},
): Promise<TrustState> {
  if (statOf(join(root, LAYER_FOLDER), lstatSync) === null) return { kind: "none" };
  const folder = trustFolder(stateDir, root);
  const inForce = readCurrentHash(folder);
  if (inForce === null) return { kind: "untrusted" };
  const current = await readCurrent(root, folder, options.file ?? null);
  const state = decideTrust({
    folder,
    inForce,
    current,
    isApproved: (hash) => isApproved(folder, hash),
  });
  if (state.kind === "trusted" && state.hash !== inForce)
    switchCurrentHash(folder, state.hash, new Date().toISOString());
  return state;
}

/** What a project's guards are taken from: to remove them is a change like any other. */
export async function inspectGuards(root: string, stateDir: string): Promise<GuardState> {
  const state = await inspectTrust(root, stateDir);
  if (state.kind !== "none") return state;
  const folder = trustFolder(stateDir, root);
  const hash = readCurrentHash(folder);
  return hash === null ? state : { kind: "removed", copyDir: copyFolder(folder, hash), hash };
}

/** The hash of the working tree as it is now, or why it has none. */
type Current = { readonly hash: string } | { readonly hash: null; readonly problem: FaultReport };

async function readCurrent(root: string, folder: string, file: string | null): Promise<Current> {
  const text = readSeen(folder);
  const seen = text === null ? null : parseSeen(text);
  const path = file === null ? null : pathInside(root, file);
  if (seen !== null && isAsSeen(root, seen, path)) return { hash: seen.hash };
  try {
    const tree = await readTree(root, seen === null ? {} : { known: knownHashes(seen) });
    writeSeen(folder, formatSeen(tree));
    return { hash: tree.hash };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { hash: null, problem: reportFault(error) };
  }
}

interface TrustFacts {
  readonly folder: string;
  readonly inForce: string;
  readonly current: Current;
  readonly isApproved: (hash: string) => boolean;
}

function decideTrust({ folder, inForce, current, isApproved }: TrustFacts): TrustState {
  const { hash } = current;
  if (hash !== null && (hash === inForce || isApproved(hash)))
    return { kind: "trusted", copyDir: copyFolder(folder, hash), hash };
  return {
    kind: "changed",
    copyDir: copyFolder(folder, inForce),
    hash: inForce,
    currentHash: hash,
    problem: current.hash === null ? current.problem : null,
  };
}
