// The tarball that users would install, from a clean copy of this checkout: packing alone has to build what it holds.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./workspace.mjs";

/** Returns what npm says of it; the tarball is then in the folder. */
export function packCleanCopy(folder) {
  const copy = join(folder, "copy");
  mkdirSync(copy);
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listing, { cwd: ROOT, encoding: "utf8" }).split("\0");
  for (const file of files)
    if (file !== "" && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(copy, file));
  if (!existsSync(join(copy, "node_modules")))
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const packing = ["pack", "--json", "--loglevel=error", "--pack-destination", folder];
  const [packed] = JSON.parse(
    execFileSync("npm", packing, {
      cwd: copy,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  return packed;
}

/** Into an empty folder, with no network and nothing beside it. */
export function installAlone(tarball, folder) {
  const words = ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const alone = ["--omit=dev", "--omit=optional", "--ignore-scripts", "--prefix", folder];
  const stdio = ["ignore", "ignore", "inherit"];
  execFileSync("npm", [...words, ...alone, tarball], { cwd: folder, stdio });
}
