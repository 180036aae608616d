// Which packages the text of a module imports.
import { isBuiltin } from "node:module";

/** What stands behind `from`, `import`, `import(` and `require(`. */
export const IMPORT_SPECIFIER =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\bimport\s+[^"'`;()]{1,2000}?\bfrom\s*)["'`]([^"'`\n]+)["'`]/g;

/** A package by its name, and where it is imported. */
interface ImportedPackage {
  readonly name: string;
  readonly line: number;
}

/** What a module of a layer imports that neither Node nor Adjutant brings; types alone are gone when it runs. */
export function listImportedPackages(text: string): ImportedPackage[] {
  const found = new Map<string, ImportedPackage>();
  for (const match of text.matchAll(IMPORT_SPECIFIER)) {
    const [whole, specifier = ""] = match;
    const name = packageOf(specifier);
    if (name === null || isTypeImport(text, match.index) || found.has(name)) continue;
    const line = text.slice(0, match.index + whole.length).split("\n").length;
    found.set(name, { name, line });
  }
  return [...found.values()];
}

const isTypeImport = (text: string, at: number): boolean =>
  /(^|[;\n])\s*(import|export)\s+type\s[^;"'`]*$/.test(text.slice(Math.max(0, at - 2_000), at)) ||
  /^import\s+type\s/.test(text.slice(at, at + 20));

/** `@scope/name` of `@scope/name/part`; null for a path, an address, a module of Node and Adjutant itself. */
function packageOf(specifier: string): string | null {
  const name = /^(@[\w.~-]+\/)?[\w~][\w.~-]*(?=\/|$)/.exec(specifier)?.[0] ?? null;
  return name === null || name === "adjutant" || isBuiltin(specifier) ? null : name;
}
