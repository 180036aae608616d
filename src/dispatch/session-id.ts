import { createHash } from "node:crypto";

/** A project's own session has an id that follows from its root, so reading it needs no store. */
export function sessionOfRoot(root: string): string {
  return `p-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
}
