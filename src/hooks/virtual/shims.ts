// Real programs for virtual commands, for lines that only a shell can run: a folder to be put on PATH, with a
// link `adj-NAME` for each command to one script that runs `adj run NAME`. The folder's path never changes.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { joinWords, quoteWord } from "../../command/words.ts";
import { errorCode } from "../../config/file-problem.ts";
import { pathName } from "../../config/path-name.ts";
import { replaceFile } from "../../config/replace-file.ts";

export interface ShimPlace {
  readonly stateDir: string;
  readonly root: string;
  readonly prefix: string;
  /** How this program is started, by absolute paths. */
  readonly program: readonly string[];
}

const SCRIPT = ".run";

export const shimFolder = ({ stateDir, root }: Pick<ShimPlace, "stateDir" | "root">): string =>
  join(stateDir, "shims", pathName(root));

/** Exactly these commands and no others. */
export function replaceShims(place: ShimPlace, names: readonly string[]): void {
  const folder = shimFolder(place);
  addShims(place, names);
  const wanted = new Set([SCRIPT, ...names.map((name) => place.prefix + name)]);
  for (const entry of readdirSync(folder))
    if (!wanted.has(entry) && !entry.endsWith(".tmp")) rmSync(join(folder, entry), { force: true });
}

/** These commands, too. */
export function addShims(place: ShimPlace, names: readonly string[]): void {
  const folder = shimFolder(place);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const script = join(folder, SCRIPT);
  const text = scriptText(place);
  if (readScript(script) !== text) replaceFile(script, text, 0o700);
  for (const name of names) link(join(folder, place.prefix + name));
}

/** The project is the one of the session, wherever the agent has gone since. */
const scriptText = ({ prefix, program, root }: ShimPlace): string => `#!/bin/sh
name=\${0##*/}
ADJ_PROJECT_ROOT=${quoteWord(root)}
export ADJ_PROJECT_ROOT
exec ${joinWords(program)} run "\${name#${prefix}}" "$@"
`;

function readScript(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function link(path: string): void {
  try {
    symlinkSync(SCRIPT, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
