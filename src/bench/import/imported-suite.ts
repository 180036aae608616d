// A suite as it came from elsewhere: what goes into `suite.yaml`, what lies beside it, and what was lost.

export interface ImportedSuite {
  readonly name: string;
  readonly description?: string | undefined;
  /** Names of the environment that its texts refer to. */
  readonly variables?: readonly string[];
  readonly agents: readonly Readonly<Record<string, unknown>>[];
  readonly cases: readonly Readonly<Record<string, unknown>>[];
  readonly post: readonly Readonly<Record<string, unknown>>[];
  /** Files to write beside the suite, by path. */
  readonly texts: Readonly<Record<string, string>>;
  /** Folders and files to copy, by where they go. */
  readonly copies: Readonly<Record<string, string>>;
  /** What has no counterpart here, for a person to look at. */
  readonly notes: readonly string[];
}

/** A name as an id: letters, digits and dashes. */
export function idFrom(name: string): string {
  const id = name
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9._]+/g, "-")
    .replaceAll(/^[-._]+|[-._]+$/g, "")
    .toLowerCase()
    .slice(0, 64);
  return id === "" ? "case" : id;
}

/** The same, with a number behind it where there is one already. */
export function uniqueId(name: string, taken: Set<string>): string {
  const id = idFrom(name);
  let unique = id;
  for (let count = 2; taken.has(unique); count++) unique = `${id.slice(0, 60)}-${count}`;
  taken.add(unique);
  return unique;
}

export const quoteShellWord = (word: string): string =>
  /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
