// From what a command did to the line that shows it: cut, then inline or through files.
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../../core/command/new-id.ts";
import { quoteWord } from "../../core/command/words.ts";
import { makeFolder } from "../../core/project/files.ts";

export function writeReplay(streams: Streams, stateDir: string, now: Date): string {
  const shown = cutStreams(streams, stateDir);
  const replay = planReplay(shown);
  if (replay.kind === "line") return replay.line;
  const files = {
    stdout: nameStreamFile(stateDir, "stdout"),
    stderr: nameStreamFile(stateDir, "stderr"),
  };
  writeStreamFile(files.stdout, shown.stdout);
  writeStreamFile(files.stderr, shown.stderr);
  removeOldOutputs(stateDir, now);
  return replayFiles(files, shown.exitCode);
}

export const cutStreams = ({ stdout, stderr, exitCode }: Streams, stateDir: string): Streams => ({
  stdout: cutChannel(stdout, stateDir, "stdout"),
  stderr: cutChannel(stderr, stateDir, "stderr"),
  exitCode,
});

function cutChannel(whole: Uint8Array, stateDir: string, channel: "stdout" | "stderr"): Uint8Array {
  const file = nameStreamFile(stateDir, channel);
  const { bytes, isCut } = cutOutput(whole, () => file);
  if (isCut) writeStreamFile(file, whole);
  return bytes;
}

// A shell line that does again what a program did: the same bytes on stdout and stderr, the same exit code,
// in bash, dash and zsh. Only what no shell, and no agent that wraps the line once more, can take otherwise
// stands there as it is; every other byte is an octal escape for `printf '%b'`.

export interface Streams {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly exitCode: number;
}

interface StreamFiles {
  readonly stdout: string;
  readonly stderr: string;
}

type Replay =
  | { readonly kind: "line"; readonly line: string }
  /** Too long for one argument, or with a NUL, which no argument can hold: files have to carry it. */
  | { readonly kind: "files" };

/**
 * An argument may have 131,071 bytes on Linux. Claude Code puts the line in double quotes once more, which
 * doubles each backslash: a line that is all escapes grows by a fifth, and there is some text around it.
 */
const MAX_LINE_LENGTH = 106_000;

export function planReplay({ stdout, stderr, exitCode }: Streams): Replay {
  if (stdout.includes(0) || stderr.includes(0)) return { kind: "files" };
  if (stdout.length + stderr.length > MAX_LINE_LENGTH) return { kind: "files" };
  const parts = [printBytes(stdout, ""), printBytes(stderr, " >&2"), `(exit ${exitCode})`];
  const line = parts.filter((part) => part !== "").join("; ");
  return line.length > MAX_LINE_LENGTH ? { kind: "files" } : { kind: "line", line };
}

/** Prints the files and removes them. */
function replayFiles({ stdout, stderr }: StreamFiles, exitCode: number): string {
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

// What an agent is shown of a very long output. The whole lies in a file that the notice names.

/** Of stdout, and of stderr. */
const MAX_SHOWN_BYTES = 102_400;

interface CutOutput {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

/** With the notice it stays within the limit; it ends at a whole character where the bytes are UTF-8. */
export function cutOutput(whole: Uint8Array, file: () => string): CutOutput {
  if (whole.length <= MAX_SHOWN_BYTES) return { bytes: whole, isCut: false };
  const notice = Buffer.from(
    `[cut by adj: ${whole.length} bytes in all; the whole is in ${file()}]\n`,
  );
  const room = Math.max(0, MAX_SHOWN_BYTES - notice.length - 1);
  const kept = whole.subarray(0, characterBoundary(whole, room));
  const lineBreak = kept.at(-1) === 0x0a ? [] : [Buffer.from("\n")];
  return { bytes: Buffer.concat([kept, ...lineBreak, notice]), isCut: true };
}

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

/** A character has four bytes at most; what is longer is no UTF-8 and is cut where it is. */
function characterBoundary(bytes: Uint8Array, at: number): number {
  for (let back = 0; back <= 3; back++) if (!isContinuation(bytes[at - back])) return at - back;
  return at;
}

// Outputs that a line cannot hold. Nobody may ever come for them, so old ones are removed in passing.

const KEPT_MS = 24 * 60 * 60 * 1000;

const outputsFolder = (stateDir: string): string => join(stateDir, "virtual", "outputs");

/** The path of a file that is not written yet; its name is nobody else's. */
const nameStreamFile = (stateDir: string, channel: "stdout" | "stderr"): string =>
  join(outputsFolder(stateDir), `${newId()}.${channel}`);

function writeStreamFile(file: string, bytes: Uint8Array): void {
  makeFolder(dirname(file), 0o700);
  writeFileSync(file, bytes, { mode: 0o600, flag: "wx" });
}

function removeOldOutputs(stateDir: string, now: Date): void {
  const folder = outputsFolder(stateDir);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && now.getTime() - stat.mtimeMs > KEPT_MS) rmSync(path, { force: true });
  }
}
