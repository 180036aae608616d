/** What to run, ready for the kernel: no shell, nothing left to look up but the program on PATH. */
export interface CommandSpec {
  readonly executable: string;
  readonly args: readonly string[];
  /** The whole environment of the child; nothing of this process's own is added but `ADJ_RUN_ID`. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}
