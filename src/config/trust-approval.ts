// What a person does about trust: approve a project as it is now, or take it back.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fault, fault } from "../command/fault.ts";
import { newId } from "../new-id.ts";
import { errorCode, problemOf } from "./file-problem.ts";
import { formatManifest } from "./trust-manifest.ts";
import { formatSeen } from "./trust-seen.ts";
import {
  copyFolder,
  forgetRoot,
  keepCopy,
  trustFolder,
  writeCurrentHash,
  writeSeen,
} from "./trust-store.ts";
import { readTree, type SeenFile } from "./trust-tree.ts";

export interface Approval {
  readonly hash: string;
  readonly copyDir: string;
  readonly fileCount: number;
}

/** Copies what can execute and puts it in force; with a hash, only if the tree has exactly that one. */
export async function approve(
  root: string,
  stateDir: string,
  expectedHash: string | null = null,
): Promise<Approval> {
  const folder = trustFolder(stateDir, root);
  const temporary = join(folder, `.new-${newId()}`);
  try {
    mkdirSync(temporary, { recursive: true, mode: 0o700 });
    const onFile = (file: SeenFile, content: Buffer) => copyFile(temporary, file, content);
    const tree = await readTree(root, { onFile });
    if (expectedHash !== null && tree.hash !== expectedHash) throw otherHash(root, tree.hash);
    const at = new Date().toISOString();
    writeFileSync(join(temporary, "manifest.json"), formatManifest({ ...tree, root, at }));
    keepCopy(folder, temporary, tree.hash);
    writeCurrentHash(folder, tree.hash, at);
    writeSeen(folder, formatSeen(tree));
    return {
      hash: tree.hash,
      copyDir: copyFolder(folder, tree.hash),
      fileCount: tree.files.length,
    };
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (errorCode(error) === null) throw error;
    throw fault("StoreUnavailable", { path: folder, problem: problemOf(error) }, { cause: error });
  }
}

/** What `approve` would ask for: the hash of the tree as it is now. */
export const hashProject = async (root: string): Promise<string> => (await readTree(root)).hash;

/** Forgets every approved state of a root; false when there was none. */
export const revoke = (root: string, stateDir: string): boolean =>
  forgetRoot(trustFolder(stateDir, root));

const otherHash = (root: string, hash: string): Fault =>
  fault(
    "TrustRefused",
    { root, problem: `its hash is \`${hash}\`, not the one that was given` },
    { hint: "look at the change with `adj trust --diff`" },
  );

function copyFile(temporary: string, file: SeenFile, content: Buffer): void {
  const place = join(temporary, "files", file.path);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  if (file.kind === "link") symlinkSync(content.toString("utf8"), place);
  else writeFileSync(place, content, { mode: file.isExecutable ? 0o500 : 0o400, flag: "wx" });
}
