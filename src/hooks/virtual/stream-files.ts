// Outputs that a line cannot hold. Nobody may ever come for them, so old ones are removed in passing.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../new-id.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;

const outputsFolder = (stateDir: string): string => join(stateDir, "virtual", "outputs");

/** The place of a file that is not written yet; its name is nobody else's. */
export const placeStreamFile = (stateDir: string, channel: "stdout" | "stderr"): string =>
  join(outputsFolder(stateDir), `${newId()}.${channel}`);

export function writeStreamFile(file: string, bytes: Uint8Array): void {
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(file, bytes, { mode: 0o600, flag: "wx" });
}

export function removeOldOutputs(stateDir: string, now: Date): void {
  const folder = outputsFolder(stateDir);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && now.getTime() - stat.mtimeMs > KEPT_MS) rmSync(path, { force: true });
  }
}
