import { existsSync } from "node:fs";
import { join } from "node:path";
import { findProjectRoot, LAYER_FOLDER } from "../../config/project-root.ts";
import { approve, hashProject, revoke } from "../../config/trust-approval.ts";
import { readCurrentHash, trustFolder } from "../../config/trust-store.ts";

export interface TrustPlace {
  readonly suiteFolder: string;
  readonly stateDir: string;
}

/** A workspace is trusted while its agent runs where it holds exactly what is trusted in the suite's project. */
export async function inheritTrust(
  folder: string,
  { suiteFolder, stateDir }: TrustPlace,
): Promise<() => void> {
  const nothing = () => undefined;
  if (!existsSync(join(folder, LAYER_FOLDER))) return nothing;
  const trusted = readCurrentHash(trustFolder(stateDir, findProjectRoot(suiteFolder)));
  if (trusted === null || trusted !== (await hashProject(folder))) return nothing;
  await approve(folder, stateDir, trusted);
  return () => void revoke(folder, stateDir);
}
