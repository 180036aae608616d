/** One of the program's own flags, which stand before the command's name. */
export interface ProgramFlag {
  readonly flag: string;
  readonly short: string | null;
  /** What its value is called; null for a switch. */
  readonly value: "id" | "folder" | null;
  readonly description: string;
}

/** What help and completion offer; the command line surface parses the same ones. */
export const PROGRAM_FLAGS: readonly ProgramFlag[] = [
  { flag: "json", short: null, value: null, description: "print one object with the outcome" },
  { flag: "yes", short: "y", value: null, description: "allow a destructive command" },
  { flag: "quiet", short: "q", value: null, description: "leave out notices" },
  { flag: "session", short: null, value: "id", description: "the session to use" },
  { flag: "cwd", short: "C", value: "folder", description: "start from this folder" },
  { flag: "help", short: "h", value: null, description: "show help" },
  { flag: "version", short: "V", value: null, description: "print the version" },
];

/** Every command with a schema takes these after its name, unless it has its own of that name. */
export const COMMON_FLAGS: readonly ProgramFlag[] = PROGRAM_FLAGS.filter(({ flag }) =>
  ["help", "json", "yes"].includes(flag),
);
