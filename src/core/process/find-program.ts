import { constants, existsSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";

type ProgramSearch =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "not_executable"; readonly path: string }
  | { readonly kind: "missing" };

interface SearchOptions {
  /** The value of PATH; without one the system's default applies. */
  readonly path: string | undefined;
  /** What a relative path is relative to. */
  readonly cwd: string;
}

const DEFAULT_PATH = "/bin:/usr/bin";

/**
 * Finds a program as `execvp` does: a name with a slash is a path, any other is looked up on PATH. A folder of PATH that is
 * not absolute (`.`, an empty one, `node_modules/.bin`) counts as none: it would be one of whatever repository we are in.
 */
export async function findProgram(name: string, options: SearchOptions): Promise<ProgramSearch> {
  let refused: string | null = null;
  for (const candidate of listCandidates(name, options)) {
    const kind = await examineFile(candidate);
    if (kind === "executable") return { kind: "found", path: candidate };
    if (kind === "other") refused ??= candidate;
  }
  return refused === null ? { kind: "missing" } : { kind: "not_executable", path: refused };
}

/** Whether anything at all has that name where it would be looked for: quick, for the many programs that are not here. */
export const isProgramNamed = (name: string, options: SearchOptions): boolean =>
  listCandidates(name, options).some((path) => existsSync(path));

function listCandidates(name: string, { path, cwd }: SearchOptions): string[] {
  if (name === "") return [];
  if (name.includes("/")) return [resolve(cwd, name)];
  const folders = (path ?? DEFAULT_PATH).split(":").filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name));
}

async function examineFile(path: string): Promise<"executable" | "other" | "missing"> {
  const found = await stat(path).catch(() => null);
  if (found === null) return "missing";
  if (!found.isFile()) return "other";
  return access(path, constants.X_OK).then(
    () => "executable",
    () => "other",
  );
}
