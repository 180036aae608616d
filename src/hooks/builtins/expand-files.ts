// The files a glob in a shell line stands for.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { matchGlob } from "../match/glob.ts";
import { absolutePath, type PathPlace } from "../match/resolve-path.ts";

const MOST_ENTRIES = 20_000;

/** Throws where there are too many to be looked at: then nobody can say what the line touches. */
export function expandFiles(pattern: string, place: PathPlace): string[] {
  const segments = absolutePath(pattern, place).split("/").slice(1);
  let found = ["/"];
  let seen = 0;
  for (const segment of segments) {
    found = found.flatMap((folder) => {
      if (!/[*?[(]/.test(segment)) return [join(folder, segment)];
      const names = listNames(folder);
      seen += names.length;
      if (seen > MOST_ENTRIES) throw new Error(`\`${pattern}\` stands for too many files`);
      return names.filter((name) => fits(segment, name)).map((name) => join(folder, name));
    });
  }
  return found;
}

/** An extended glob such as `@(a|b)` may be any name. */
const fits = (segment: string, name: string): boolean =>
  segment.includes("(") || matchGlob(segment, name, { style: "text" });

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No folder, or one that the line cannot read either.
    return [];
  }
}
