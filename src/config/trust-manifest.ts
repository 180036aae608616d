// The list of files beside an approved copy, for people and for the diff; nothing runs by it.
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { fault } from "../command/fault.ts";
import type { TreeFile } from "./trust-hash.ts";
import { manifestFile } from "./trust-store.ts";

const MANIFEST = z.object({
  root: z.string(),
  hash: z.string(),
  at: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(["file", "link"]),
      isExecutable: z.boolean(),
      sha256: z.string(),
    }),
  ),
});

export interface TrustManifest {
  readonly root: string;
  readonly hash: string;
  /** When it was approved. */
  readonly at: string;
  readonly files: readonly TreeFile[];
}

/** Leaves out whatever else is known of the files. */
export const formatManifest = (manifest: TrustManifest): string =>
  `${JSON.stringify(z.parse(MANIFEST, manifest))}\n`;

export function readManifest(folder: string, hash: string): TrustManifest {
  const path = manifestFile(folder, hash);
  try {
    return z.parse(MANIFEST, JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const facts = { path, problem: "it is not what was written there" };
    throw fault("StoreUnavailable", facts, { hint: "trust the project again", cause: error });
  }
}
