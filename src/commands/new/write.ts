// Writes what was planned, and never over anything.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Fault, fault } from "../../command/fault.ts";
import { createFile } from "../../config/create-file.ts";
import { errorCode, problemOf } from "../../config/file-problem.ts";
import { findTypePlaces } from "./package-types.ts";
import type { Plan } from "./plan.ts";
import { editorConfig, markdownTemplate, typescriptTemplate } from "./templates.ts";
import { addYamlCommand, hasYamlCommand } from "./yaml-command.ts";

/** The files that were written, in order. */
export async function writeScaffold(plan: Plan): Promise<string[]> {
  await refuseExisting(plan);
  if (plan.kind === "argv") return [await addYamlCommand(plan)];
  const file = join(plan.folder, "commands", `${plan.name}.${plan.kind}`);
  createFile(file, plan.kind === "ts" ? typescriptTemplate(plan) : markdownTemplate(plan));
  return plan.kind === "ts" ? [file, ...writeEditorConfig(plan)] : [file];
}

async function refuseExisting(plan: Plan): Promise<void> {
  const folder = join(plan.folder, "commands");
  const file = namesIn(folder).find((name) => name.split(".")[0] === plan.name);
  if (file !== undefined) throw exists(plan.name, join(folder, file));
  if (await hasYamlCommand(plan)) throw exists(plan.name, join(plan.folder, "commands.yaml"));
}

const exists = (name: string, file: string): Fault =>
  fault(
    "InputInvalid",
    { what: `\`${name}\``, problem: `it is there already, in ${file}` },
    { hint: "edit it, or choose another name" },
  );

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw fault("FolderUnreadable", { path: folder, problem: problemOf(error) }, { cause: error });
  }
}

/** What an editor needs; one that is there already is left as it is. */
function writeEditorConfig({ folder, root }: Plan): string[] {
  const file = join(folder, "tsconfig.json");
  if (existsSync(file)) return [];
  createFile(file, editorConfig(findTypePlaces(folder, root)));
  return [file];
}
