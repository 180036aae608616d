// A case's files on their way to a worker on another machine: by content, so that each travels once.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { BenchStore } from "../../bench/queue.ts";
import type { TrialPlan } from "../../bench/trial.ts";
import { fault } from "../../command/fault.ts";
import { newId } from "../../new-id.ts";

export const uploadFiles =
  (store: BenchStore, folder: string) =>
  async (files: readonly string[]): Promise<TrialPlan["files"]> => {
    const hashes: Record<string, string> = {};
    for (const file of files) {
      const path = relative(folder, file);
      if (path.startsWith(".."))
        throw fault("FileInvalid", {
          problem: `\`${file}\` lies outside the suite's folder, so it cannot travel to other machines`,
        });
      hashes[path] = await store.putContent(await readFile(file));
    }
    return hashes;
  };

/** The plan with its files on this machine, each written once whatever trials need it. */
export async function receiveFiles(
  plan: TrialPlan,
  { store, workDir }: { readonly store: Pick<BenchStore, "getContent">; readonly workDir: string },
): Promise<TrialPlan> {
  if (plan.files === null) return plan;
  const name = createHash("sha256").update(JSON.stringify(plan.files)).digest("hex").slice(0, 32);
  const folder = join(workDir, "suites", name);
  for (const [path, hash] of Object.entries(plan.files)) {
    const file = resolve(folder, path);
    if (existsSync(file)) continue;
    const bytes = await store.getContent(hash);
    if (bytes === null) throw new Error(`the store has no content ${hash} for \`${path}\``);
    await mkdir(dirname(file), { recursive: true });
    const temporary = `${file}.${newId()}.tmp`;
    await writeFile(temporary, bytes);
    await rename(temporary, file);
  }
  const here = (path: string): string => join(folder, relative(plan.suiteFolder, path));
  const { workspace } = plan.case;
  return {
    ...plan,
    suiteFolder: folder,
    case: {
      ...plan.case,
      workspace:
        workspace.kind === "template"
          ? { ...workspace, folder: here(workspace.folder) }
          : workspace,
    },
  };
}
