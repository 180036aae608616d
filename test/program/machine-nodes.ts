// The Nodes of the machine, for tests of what a package does on each.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** By their major version, the folder of the first of each; the one that runs the tests comes first. */
export function listNodes(): [major: string, folder: string][] {
  const folders = [dirname(process.execPath), ...(process.env.PATH?.split(delimiter) ?? [])];
  const found = new Map<string, string>();
  for (const folder of folders) {
    const node = join(folder, "node");
    if (!existsSync(node)) continue;
    const version = execFileSync(node, ["--version"], { encoding: "utf8" });
    const major = /^v(\d+)/.exec(version)?.[1] ?? "";
    if (!found.has(major)) found.set(major, folder);
  }
  return [...found];
}
