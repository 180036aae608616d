// A project's own files and folders may be links that somebody else made: into a person's home, for one, where a prompt of
// the project would become a command of the person. Whoever writes below a project's root asks here first.
import { lstatSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { fault } from "../command/fault.ts";
import { statOf } from "./files.ts";

/** Throws `LinkInTheWay` where the file, or a folder between the project's root and it, is a link. */
export function refuseLinks(root: string, file: string): void {
  const inside = relative(root, file);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return;
  let path = root;
  for (const part of inside.split(sep)) {
    path = join(path, part);
    if (statOf(path, lstatSync)?.isSymbolicLink() === true)
      throw fault(
        "LinkInTheWay",
        { path: file, link: path },
        { hint: "put a folder or a file of its own in its place, then try again" },
      );
  }
}
