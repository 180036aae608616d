// A fresh folder for one try of a trial. Nothing in it is shared with the user's own repository.
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceSource } from "../suite.ts";
import { cloneGit } from "./clone-git.ts";
import { copyTree, removeTree } from "./tree-files.ts";
import { TRIAL_PREFIX } from "./work-folder.ts";

export interface Workspace {
  /** Everything of this try lies below; removed as a whole. */
  readonly place: string;
  readonly folder: string;
}

export interface WorkspaceRequest {
  readonly source: WorkspaceSource;
  /** The folder of all workspaces. */
  readonly workDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function makeWorkspace(request: WorkspaceRequest): Promise<Workspace> {
  const place = mkdtempSync(join(request.workDir, TRIAL_PREFIX));
  const folder = join(place, "workspace");
  const { source } = request;
  try {
    if (source.kind === "git") await cloneGit(source, folder, request);
    else if (source.kind === "template") await copyTree(source.folder, folder);
    else mkdirSync(folder);
  } catch (error) {
    await removeTree(place);
    throw error;
  }
  return { place, folder };
}
