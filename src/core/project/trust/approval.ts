// What a person does about trust: approve a project as it is now, or take it back.
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { type Fault, fault } from "../../command/fault.ts";
import { newId } from "../../command/new-id.ts";
import { describeFileError, fileErrorCode, makeFolder } from "../files.ts";
import type { TreeFile } from "../fingerprint.ts";
import { formatSnapshot } from "./inspect.ts";
import type { Pins } from "./pins.ts";
import {
  copyFolder,
  forgetRoot,
  manifestFile,
  pinsFile,
  storeCopy,
  trustFolder,
  writeCurrentHash,
  writeSnapshot,
} from "./store.ts";
import { readTree, type SnapshotFile } from "./tree.ts";

interface Approval {
  readonly hash: string;
  readonly copyDir: string;
  readonly fileCount: number;
  readonly pins: Pins;
}

/** Copies what can execute and puts it in force; with a hash, only if the tree has exactly that one. */
export async function approveProject(
  root: string,
  stateDir: string,
  expectedHash: string | null = null,
): Promise<Approval> {
  const folder = trustFolder(stateDir, root);
  const temporary = join(folder, `.new-${newId()}`);
  try {
    makeFolder(temporary, 0o700);
    const onFile = (file: SnapshotFile, content: Buffer) => copyFile(temporary, file, content);
    const tree = await readTree(root, { onFile });
    if (expectedHash !== null && tree.hash !== expectedHash) throw otherHash(root, tree.hash);
    const at = new Date().toISOString();
    writeFileSync(pinsFile(join(temporary, "files")), JSON.stringify(tree.pins));
    writeFileSync(join(temporary, "manifest.json"), formatTrustManifest({ ...tree, root, at }));
    storeCopy(folder, temporary, tree.hash);
    writeCurrentHash(folder, tree.hash, at);
    writeSnapshot(folder, formatSnapshot(tree));
    return {
      hash: tree.hash,
      copyDir: copyFolder(folder, tree.hash),
      fileCount: tree.files.length,
      pins: tree.pins,
    };
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (fileErrorCode(error) === null) throw error;
    throw fault(
      "StoreUnavailable",
      { path: folder, problem: describeFileError(error) },
      { cause: error },
    );
  }
}

/** What `approve` would ask for: the hash of the tree as it is now. */
export const hashProject = async (root: string): Promise<string> => (await readTree(root)).hash;

/** Forgets every approved state of a root; false when there was none. */
export const revokeApproval = (root: string, stateDir: string): boolean =>
  forgetRoot(trustFolder(stateDir, root));

const otherHash = (root: string, hash: string): Fault =>
  fault(
    "TrustRefused",
    { root, problem: `its hash is \`${hash}\`, not the one that was given` },
    { hint: "look at the change with `adj trust --diff`" },
  );

function copyFile(temporary: string, file: SnapshotFile, content: Buffer): void {
  const copy = join(temporary, "files", file.path);
  makeFolder(dirname(copy), 0o700);
  if (file.kind === "link") symlinkSync(content.toString("utf8"), copy);
  else writeFileSync(copy, content, { mode: file.isExecutable ? 0o500 : 0o400, flag: "wx" });
}

// The list of files beside an approved copy, for people and for the diff; nothing runs by it.

const MANIFEST_SCHEMA = z.object({
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

interface TrustManifest {
  readonly root: string;
  readonly hash: string;
  /** When it was approved. */
  readonly at: string;
  readonly files: readonly TreeFile[];
}

/** Leaves out whatever else is known of the files. */
const formatTrustManifest = (manifest: TrustManifest): string =>
  `${JSON.stringify(z.parse(MANIFEST_SCHEMA, manifest))}\n`;

export function readTrustManifest(folder: string, hash: string): TrustManifest {
  const path = manifestFile(folder, hash);
  try {
    return z.parse(MANIFEST_SCHEMA, JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const facts = { path, problem: "it is not what was written there" };
    throw fault("StoreUnavailable", facts, { hint: "trust the project again", cause: error });
  }
}
