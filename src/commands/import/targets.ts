// Where an imported command goes, and what is there already.
import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fault } from "../../command/fault.ts";
import { errorCode, problemOf } from "../../config/file-problem.ts";
import { replaceFile } from "../../config/replace-file.ts";
import { hasYamlCommand } from "../new/yaml-command.ts";

export interface CommandTarget {
  /** What has the name now; a Markdown file of this very name may be replaced. */
  readonly kind: "free" | "markdown" | "other";
  readonly file: string;
}

export async function findTarget(name: string, folder: string): Promise<CommandTarget> {
  const file = join(folder, "commands", `${name}.md`);
  const others = namesIn(dirname(file)).filter((other) => other.split(".")[0] === name);
  if (others.length === 0)
    return { kind: (await hasYamlCommand({ folder, name })) ? "other" : "free", file };
  return { kind: others.join() === `${name}.md` ? "markdown" : "other", file };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw fault("FolderUnreadable", { path: folder, problem: problemOf(error) }, { cause: error });
  }
}

export function writeTarget(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, text, 0o644);
  } catch (error) {
    throw fault("StoreUnavailable", { path: file, problem: problemOf(error) }, { cause: error });
  }
}
