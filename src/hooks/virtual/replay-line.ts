// A shell line that does again what a program did: the same bytes on stdout and stderr, the same exit code,
// in bash, dash and zsh. Only what no shell, and no agent that wraps the line once more, can take otherwise
// stands there as it is; every other byte is an octal escape for `printf '%b'`.
import { quoteWord } from "../../command/words.ts";

export interface Streams {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly exitCode: number;
}

export interface StreamFiles {
  readonly stdout: string;
  readonly stderr: string;
}

export type Replay =
  | { readonly kind: "line"; readonly line: string }
  /** Too long for one argument, or with a NUL, which no argument can hold: files have to carry it. */
  | { readonly kind: "files" };

/**
 * An argument may have 131,071 bytes on Linux. Claude Code puts the line in double quotes once more, which
 * doubles each backslash: a line that is all escapes grows by a fifth, and there is some text around it.
 */
const LONGEST_LINE = 106_000;

export function planReplay({ stdout, stderr, exitCode }: Streams): Replay {
  if (stdout.includes(0) || stderr.includes(0)) return { kind: "files" };
  if (stdout.length + stderr.length > LONGEST_LINE) return { kind: "files" };
  const parts = [printBytes(stdout, ""), printBytes(stderr, " >&2"), `(exit ${exitCode})`];
  const line = parts.filter((part) => part !== "").join("; ");
  return line.length > LONGEST_LINE ? { kind: "files" } : { kind: "line", line };
}

/** Prints the files and removes them. */
export function replayFiles({ stdout, stderr }: StreamFiles, exitCode: number): string {
  const [out, err] = [quoteWord(stdout), quoteWord(stderr)];
  return `command cat ${out}; command cat ${err} >&2; command rm -f ${out} ${err}; (exit ${exitCode})`;
}

const printBytes = (bytes: Uint8Array, target: string): string =>
  bytes.length === 0 ? "" : `printf '%b' '${escapeBytes(bytes)}'${target}`;

const PLAIN = /[A-Za-z0-9 _.,:/=+@-]/;

/** Always three digits behind the zero, so that a digit that follows is not taken for a part of it. */
const ESCAPES: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return PLAIN.test(character) ? character : `\\0${byte.toString(8).padStart(3, "0")}`;
});

function escapeBytes(bytes: Uint8Array): string {
  let escaped = "";
  for (const byte of bytes) escaped += ESCAPES[byte];
  return escaped;
}
