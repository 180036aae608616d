const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link or a circle of them",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its path is too long",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "it is not a folder",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
};

/** The system's code of a failed file operation, null for any other value. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** What went wrong with a file, in words. */
export function problemOf(error: unknown): string {
  const known = PROBLEMS[errorCode(error) ?? ""];
  return known ?? (error instanceof Error ? error.message : String(error));
}
