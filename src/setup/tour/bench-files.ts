// The example suite, for the tour. The build puts the files themselves in place of this.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const EXAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "bench");

/** By path within the example. */
export function readBenchFiles(): Readonly<Record<string, string>> {
  const names = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "README.md")
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    names.toSorted().map((file) => [file.slice(EXAMPLE.length + 1), readFileSync(file, "utf8")]),
  );
}
