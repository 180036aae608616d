// What becomes of each file in an agent's folder. Pure.
import type { InstallScope } from "../../hooks/install/installer.ts";
import { readMark } from "../../markdown/native/mark.ts";

export type ChangeKind = "create" | "update" | "remove" | "same" | "conflict";

export interface FileChange {
  readonly kind: ChangeKind;
  /** Below the agent's folder. */
  readonly path: string;
  /** What it is to hold; null where it is to be gone. */
  readonly text: string | null;
  /** Why it is left alone. */
  readonly problem: string | null;
}

export interface FolderFacts {
  readonly scope: InstallScope;
  /** Marked texts by path. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Paths whose command cannot be read now: what was written for them stays. */
  readonly kept: ReadonlySet<string>;
  readonly found: ReadonlyMap<string, string>;
}

export function decideChanges({ scope, wanted, kept, found }: FolderFacts): FileChange[] {
  const paths = new Set([...wanted.keys(), ...found.keys()].filter((path) => !kept.has(path)));
  return [...paths].sort().flatMap((path) => {
    const change = decideChange(found.get(path) ?? null, wanted.get(path) ?? null, scope);
    return change === null ? [] : [{ problem: null, ...change, path }];
  });
}

type Change = Omit<FileChange, "path" | "problem"> & { readonly problem?: string };

/** Null for a file that is nobody's business here. */
function decideChange(
  found: string | null,
  text: string | null,
  scope: InstallScope,
): Change | null {
  if (found === null) return { kind: "create", text };
  const mark = readMark(found);
  const isOurs = mark.kind !== "unmarked" && mark.scope === scope;
  if (isOurs && mark.kind === "edited")
    return { kind: "conflict", text, problem: "it was changed by hand" };
  if (isOurs) return { kind: kindOf(found, text), text };
  return text === null
    ? null
    : { kind: "conflict", text, problem: "it was there before and is not `adj sync`'s" };
}

function kindOf(found: string, text: string | null): ChangeKind {
  if (text === null) return "remove";
  return found === text ? "same" : "update";
}
