// One file, or a folder with what is in it, that a step reads or writes.
import { matchGlob } from "../../../core/project/glob.ts";
import type { PathContext } from "../../match/paths.ts";
import { ALL_KEY, type FolderReading } from "./protected-files.ts";

export type TouchAccess = "read" | "write";

export interface FileTouch {
  /** As written, relative to the context's folder. */
  readonly path: string;
  readonly context: PathContext;
  readonly access: TouchAccess;
  /** Whether `*` and its like in the path stand for names of files. */
  readonly isGlob: boolean;
  /** Whether they stand for names that begin with a dot too, as most tools have it and no shell. */
  readonly isHidden?: boolean;
  /** Null for the one path alone; else what is opened of a folder that it names. */
  readonly below: FolderReading | null;
  /** Only the archive that is unpacked there says what is written of the folder. */
  readonly isUnpacked?: boolean;
  /** Git writes what it has of it as it is. */
  readonly isPutBack?: true;
  /** What git alone can say: only files that it tracks, that differ from what it has, that `git add` would take, or that it would take for the first time;
   * an agent's own search that passes over what git ignores. */
  readonly ofGit?: "tracked" | "changed" | "addable" | "new" | "searched";
}

/** What a package manager or git put there is not a person's secret, and there is too much of it to be looked at. */
const BROUGHT: ReadonlySet<string> = new Set(["node_modules", ".git"]);

export const ALL_FILES: FolderReading = {
  key: ALL_KEY,
  opens: (name, isFolder) => !(isFolder && BROUGHT.has(name)),
  followsLinks: true,
};

export const DELETED_FILES: FolderReading = { ...ALL_FILES, key: "deleted", isDeletion: true };

/** Hidden files and folders are passed over. */
export const PLAIN_FILES: FolderReading = {
  key: "plain",
  opens: (name, isFolder) => !name.startsWith(".") && ALL_FILES.opens(name, isFolder),
  followsLinks: false,
};

/** Files by name: `*.ts` are opened, `!*.ts` are not. A glob with folders in it opens all files of its last name. */
export function namesOpened(
  globs: readonly string[],
  within: FolderReading = ALL_FILES,
): FolderReading {
  const wanted = globs.filter((glob) => !glob.startsWith("!")).map(lastName);
  const unwanted = globs.flatMap((glob) =>
    /^!(\*\*\/)?[^/]+$/.test(glob) ? [lastName(glob.slice(1))] : [],
  );
  const fits = (glob: string, name: string): boolean => matchGlob(glob, name, { style: "path" });
  return {
    ...within,
    key: [within.key, ...globs].join("\0"),
    opens: (name, isFolder) =>
      within.opens(name, isFolder) &&
      !unwanted.some((glob) => fits(glob, name)) &&
      (isFolder || wanted.length === 0 || wanted.some((glob) => fits(glob, name))),
  };
}

function lastName(glob: string): string {
  const name =
    glob
      .replace(/(?<!\/)\/+$/, "")
      .split("/")
      .at(-1) ?? "";
  return name === "**" || /\{[^{}]*\//.test(glob) ? "*" : name;
}
