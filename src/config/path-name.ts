import { sha256 } from "./trust-hash.ts";

/** A file's name may have 255 bytes; there is an extension behind it, too. */
const LONGEST = 200;

/** A path as the name of one file or folder, different for different paths and mostly readable. */
export function pathName(path: string): string {
  const name = encodeURIComponent(path).replaceAll("%2F", "+");
  return name.length <= LONGEST ? name : `long-${sha256(path)}`;
}
