// Entries of `commands.yaml`; comments and order of what is there stay as they are.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fault } from "../../command/fault.ts";
import { problemOf } from "../../config/file-problem.ts";
import { replaceFile } from "../../config/replace-file.ts";
import { readText } from "../../config/settings-file.ts";
import { parseYaml } from "../../config/yaml-file.ts";
import type { Plan } from "./plan.ts";

const fileOf = ({ folder }: Plan): string => join(folder, "commands.yaml");

export async function hasYamlCommand(plan: Plan): Promise<boolean> {
  const file = fileOf(plan);
  const { value } = parseYaml(readText(file) ?? "", file);
  if (value === null || value === undefined) return false;
  if (typeof value !== "object" || Array.isArray(value))
    throw fault("FileInvalid", { problem: "the file must be a map" }, { where: { file } });
  return Object.hasOwn(value, plan.name);
}

export async function addYamlCommand(plan: Plan): Promise<string> {
  const file = fileOf(plan);
  const text = await withCommand(readText(file) ?? "adjutant: 1\n", plan);
  try {
    mkdirSync(plan.folder, { recursive: true });
    replaceFile(file, text, statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644);
  } catch (error) {
    throw fault("StoreUnavailable", { path: file, problem: problemOf(error) }, { cause: error });
  }
  return file;
}

async function withCommand(before: string, { name, description, argv }: Plan): Promise<string> {
  const { isMap, parseDocument } = await import("yaml");
  const document = parseDocument(before);
  if (!isMap(document.contents)) {
    // An empty map keeps the comments of a file that has nothing else.
    document.contents = document.createNode({}) as never;
  }
  document.set(name, document.createNode({ description }));
  document.setIn([name, "argv"], document.createNode([...argv], { flow: true }));
  return document.toString({ lineWidth: 0 });
}
