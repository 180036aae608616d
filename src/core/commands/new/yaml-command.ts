// Entries of `commands.yaml`; comments and order of what is there stay as they are.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "yaml";
import { fault } from "../../command/fault.ts";
import { describeFileError, readText, replaceFile } from "../../project/files.ts";
import { parseYaml } from "../../project/yaml-file.ts";
import type { ScaffoldPlan } from "./write.ts";

const fileOf = ({ folder }: Pick<ScaffoldPlan, "folder">): string => join(folder, "commands.yaml");

export async function hasYamlCommand(
  plan: Pick<ScaffoldPlan, "folder" | "name">,
): Promise<boolean> {
  const file = fileOf(plan);
  const { value } = parseYaml(readText(file) ?? "", file);
  if (value === null || value === undefined) return false;
  if (typeof value !== "object" || Array.isArray(value))
    throw fault("FileInvalid", { problem: "the file must be a map" }, { where: { file } });
  return Object.hasOwn(value, plan.name);
}

export async function addYamlCommand(plan: ScaffoldPlan): Promise<string> {
  const file = fileOf(plan);
  const text = await withCommand(readText(file) ?? "adjutant: 1\n", plan);
  try {
    mkdirSync(plan.folder, { recursive: true });
    replaceFile(file, text, statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644);
  } catch (error) {
    throw fault(
      "StoreUnavailable",
      { path: file, problem: describeFileError(error) },
      { cause: error },
    );
  }
  return file;
}

/** Written behind what is there; only where that does not parse is the whole file written anew. */
async function withCommand(before: string, plan: ScaffoldPlan): Promise<string> {
  const { Document, isMap, parseDocument } = await import("yaml");
  const entry = new Document({});
  addEntry(entry, plan);
  const added = entry.toString({ lineWidth: 0, flowCollectionPadding: false });
  const appended = `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${added}`;
  const check = parseDocument(appended);
  if (check.errors.length === 0 && check.has(plan.name)) return appended;
  const document = parseDocument(before);
  if (!isMap(document.contents)) {
    // An empty map keeps the comments of a file that has nothing else.
    document.contents = document.createNode({}) as never;
  }
  addEntry(document, plan);
  return document.toString({ lineWidth: 0 });
}

function addEntry(document: Document, { name, description, argv }: ScaffoldPlan): void {
  document.set(name, document.createNode({ description }));
  document.setIn([name, "argv"], document.createNode([...argv], { flow: true }));
}
