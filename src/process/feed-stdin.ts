import { Readable, type Writable } from "node:stream";
import type { RunOptions } from "./run-options.ts";

// A child need not read what it is given. Pipes are socket pairs here, which name it differently.
const BROKEN_PIPE_CODES: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET"]);

export interface Feeding {
  /** A failure to write, other than a broken pipe. */
  readonly problem: string | null;
}

/** Writes while the child runs, then closes. */
export function feedStdin(stdin: Writable | null, input: RunOptions["stdin"]): Feeding {
  let problem: string | null = null;
  stdin?.on("error", (error) => {
    const isBrokenPipe = "code" in error && BROKEN_PIPE_CODES.has(error.code);
    if (!isBrokenPipe) problem = `stdin cannot be written: ${error.message}`;
  });
  if (!isStream(input)) stdin?.end(input);
  else if (stdin !== null) Readable.from(input).pipe(stdin);
  return {
    get problem() {
      return problem;
    },
  };
}

const isStream = (input: RunOptions["stdin"]): input is AsyncIterable<string> =>
  typeof input === "object" && Symbol.asyncIterator in input;
