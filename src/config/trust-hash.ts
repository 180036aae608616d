export interface TreeFile {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly kind: "file" | "link";
  readonly isExecutable: boolean;
  /** Of the content; for a link, of its target. */
  readonly sha256: string;
}

/** Most starts hash nothing, and `node:crypto` is the most expensive module of all to load. */
export const sha256 = (content: string | Uint8Array): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");

/** One hash for what a person approves; the same for the same files, whatever order they come in. */
export function hashTree(files: readonly TreeFile[]): string {
  const lines = sortFiles(files).map((file) =>
    JSON.stringify([file.path, file.isExecutable, file.kind, file.sha256]),
  );
  return sha256(lines.join("\n"));
}

export const sortFiles = <File extends TreeFile>(files: readonly File[]): File[] =>
  files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
