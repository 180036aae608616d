// The examples that the tour takes along. The build puts the files themselves in place of this.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "examples");

/** By path within the tour's project. */
export function readExampleFiles(): Readonly<Record<string, string>> {
  const suite = readFolder("bench").map(([path, text]) => [`suite/${path}`, text]);
  const panel = readFolder("workflows").filter(([path]) => IN_PANEL.has(path));
  return Object.fromEntries([...suite, ...panel]);
}

/** Of the examples of workflows the one without a gate, and what it is played by. */
const IN_PANEL = new Set([
  ".adjutant/config.yaml",
  ".adjutant/workflows/review-panel.js",
  "cassettes.yaml",
]);

function readFolder(name: string): [string, string][] {
  const folder = join(EXAMPLES, name);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "README.md")
    .map(({ parentPath, name: file }) => join(parentPath, file))
    .toSorted()
    .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]);
}
