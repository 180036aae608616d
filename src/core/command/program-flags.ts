// The program's own flags: what the command line takes, what help, completion and the man page offer, one table for all.
import type { Argument } from "./arguments.ts";

export interface ProgramFlag {
  readonly flag: string;
  readonly short: string | null;
  /** What its value is called; null for a switch. */
  readonly value: "id" | "folder" | "when" | null;
  /**
   * Where it is taken: only before the command's name, or behind it too. `closed` is behind the name of a command that
   * knows all of its flags; one that hands on what it does not know keeps such a flag for whoever gets it.
   */
  readonly place: "before" | "anywhere" | "closed";
  readonly description: string;
}

export const PROGRAM_FLAGS: readonly ProgramFlag[] = [
  {
    ...{ flag: "json", short: null, value: null, place: "anywhere" },
    description: "print one object with the outcome",
  },
  {
    ...{ flag: "yes", short: "y", value: null, place: "anywhere" },
    description: "allow a destructive command",
  },
  {
    ...{ flag: "quiet", short: "q", value: null, place: "anywhere" },
    description: "leave out notices",
  },
  {
    ...{ flag: "debug", short: null, value: null, place: "closed" },
    description: "show the stack of what went wrong",
  },
  {
    ...{ flag: "color", short: null, value: "when", place: "closed" },
    description: "always, never or auto: on a terminal, unless NO_COLOR says no",
  },
  {
    ...{ flag: "no-color", short: null, value: null, place: "closed" },
    description: "the same as --color never",
  },
  {
    ...{ flag: "session", short: null, value: "id", place: "closed" },
    description: "the session to use",
  },
  {
    ...{ flag: "help", short: "h", value: null, place: "anywhere" },
    description: "show help",
  },
  {
    ...{ flag: "cwd", short: "C", value: "folder", place: "before" },
    description: "start from this folder",
  },
  {
    ...{ flag: "version", short: "V", value: null, place: "before" },
    description: "print the version",
  },
];

/** `-C`, `--cwd`: each way to write it. */
export const spellingsOf = ({ flag, short }: ProgramFlag): string[] =>
  short === null ? [`--${flag}`] : [`-${short}`, `--${flag}`];

/** Those that take the next word for their value. */
export const VALUED_SPELLINGS: ReadonlySet<string> = new Set(
  PROGRAM_FLAGS.filter(({ value }) => value !== null).flatMap(spellingsOf),
);

/** What a command takes behind its name beside its own: it goes before the program's. */
export function commonFlagsOf(known: readonly Argument[]): ProgramFlag[] {
  const own = new Set(known.flatMap(({ flag, schema }) => [flag, ...(schema.short ?? "")]));
  const handsOn = known.some(
    ({ schema }) => schema.unknownFlags === true || schema.verbatim === true,
  );
  // `--no-color` also takes back a switch `--color` of the command's own.
  const isOwn = (flag: string) => own.has(flag) || own.has(flag.replace(/^no-/, ""));
  return PROGRAM_FLAGS.filter(
    ({ flag, place }) => (place === "anywhere" || (place === "closed" && !handsOn)) && !isOwn(flag),
  ).map((one) => (one.short !== null && own.has(one.short) ? { ...one, short: null } : one));
}
