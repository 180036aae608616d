// Which file a word on the command line means: a path, or the name of a suite of the project or the user.
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fault } from "../../command/fault.ts";
import { LAYER_FOLDER } from "../../config/project-root.ts";
import { inspectTrust } from "../../config/trust.ts";
import type { Program } from "../program.ts";
import type { BenchPlace } from "./bench-place.ts";

const SUITE_FOLDER = "suites";

export async function findSuite(word: string, { context, program }: BenchPlace): Promise<string> {
  const file = pickFile(word, context.workingDirectory, program);
  if (file.startsWith(`${join(program.root, LAYER_FOLDER)}/`)) await requireTrust(file, program);
  return file;
}

/** What lies there comes first; a name is looked for in the project, then in the user's own folder. */
function pickFile(word: string, workingDirectory: string, { root, configDir }: Program): string {
  const named = resolve(workingDirectory, word);
  const isName = /^[\w.-]+$/.test(word) && !existsSync(named);
  const folders = isName ? [join(root, LAYER_FOLDER), configDir] : [];
  const places = folders.flatMap((folder) => {
    const place = join(folder, SUITE_FOLDER, word);
    return [`${place}.yaml`, `${place}.yml`, place];
  });
  const found = [named, ...places].find((place) => existsSync(place)) ?? named;
  const inside = join(found, "suite.yaml");
  return existsSync(inside) && statSync(found).isDirectory() ? inside : found;
}

/** A suite is a program: one of a project that nobody has looked at does not run. */
async function requireTrust(file: string, { root, stateDir }: Program): Promise<void> {
  const { kind } = await inspectTrust(root, stateDir, { file });
  if (kind === "trusted") return;
  const since = kind === "changed" ? "it changed since you trusted it; " : "";
  throw fault("Untrusted", { root }, { hint: `${since}look at it, then run \`adj trust\`` });
}
