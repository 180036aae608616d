import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT } from "../support/checkout.ts";

const { scripts } = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8"));
const STARTED = Object.values<string>(scripts).map((line) => line.split(" ")[1] ?? "");

/** What Node loads before the first line runs; `import()` comes after the install. */
function listPackages(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const named = readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)";/gms);
  return [...named].flatMap(([, name = ""]) => {
    if (name.startsWith(".")) return listPackages(join(dirname(file), name), seen);
    return name.startsWith("node:") ? [] : [`${file.slice(CHECKOUT.length + 1)}: ${name}`];
  });
}

test.each([...new Set(STARTED)])("%s begins in a clone in which nothing is installed", (script) => {
  expect(listPackages(join(CHECKOUT, script))).toEqual([]);
});
