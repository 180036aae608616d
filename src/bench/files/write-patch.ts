// What was changed, byte for byte, as `git apply` takes it.
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as letOthersRun } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import { diffLines } from "../../core/project/line-diff.ts";
import type { TreeChange } from "./compare-trees.ts";

const MAX_FILE_BYTES = 1_000_000;
const MAX_PATCH_BYTES = 10_000_000;

interface Trees {
  readonly base: string;
  readonly after: string;
}

interface Side {
  readonly mode: string;
  readonly bytes: Buffer;
}

/** What is too large is named, not shown. */
export async function writePatch(changes: readonly TreeChange[], trees: Trees): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for (const change of changes) {
    await letOthersRun();
    const whole = length < MAX_PATCH_BYTES ? describeChange(change, trees) : null;
    const part = Buffer.from(
      whole ?? `${change.kind} ${quotePath("", change.path)} (not shown)\n`,
      "latin1",
    );
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts);
}

/** Bytes as a text of one character each. */
function describeChange({ path, kind }: TreeChange, trees: Trees): string | null {
  const before = kind === "added" ? null : readSide(join(trees.base, path));
  const after = kind === "removed" ? null : readSide(join(trees.after, path));
  if (before === "unshown" || after === "unshown") return null;
  const isOtherKind =
    before !== null && after !== null && before.mode.slice(0, 3) !== after.mode.slice(0, 3);
  // As git does: a file that became a link is one file less and one link more.
  if (isOtherKind) return describeSides(path, before, null) + describeSides(path, null, after);
  return describeSides(path, before, after);
}

function readSide(path: string): Side | "unshown" {
  const { mode, size } = lstatSync(path);
  const kind = mode & 0o170000;
  if (kind === 0o120000)
    return { mode: "120000", bytes: readlinkSync(path, { encoding: "buffer" }) };
  if (kind !== 0o100000 || size > MAX_FILE_BYTES) return "unshown";
  return { mode: mode & 0o111 ? "100755" : "100644", bytes: readFileSync(path) };
}

function describeSides(path: string, before: Side | null, after: Side | null): string {
  const [from, to] = [quotePath("a/", path), quotePath("b/", path)];
  const head = `diff --git ${from} ${to}\n${describeModes(before, after)}`;
  const [old, now] = [before?.bytes ?? Buffer.alloc(0), after?.bytes ?? Buffer.alloc(0)];
  if (old.equals(now)) return head;
  if (old.includes(0) || now.includes(0)) {
    const index = `index ${nameBlob(before)}..${nameBlob(after)}\n`;
    return `${head}${index}GIT binary patch\n${encodeBinary(now)}\n${encodeBinary(old)}\n`;
  }
  const names = `--- ${before === null ? "/dev/null" : from}\n+++ ${after === null ? "/dev/null" : to}\n`;
  return `${head}${names}${describeLines(old, now)}`;
}

function describeModes(before: Side | null, after: Side | null): string {
  if (before === null) return `new file mode ${after?.mode}\n`;
  if (after === null) return `deleted file mode ${before.mode}\n`;
  return before.mode === after.mode ? "" : `old mode ${before.mode}\nnew mode ${after.mode}\n`;
}

/** Neither text holds a NUL: one marks the last line that has no end. */
function describeLines(before: Buffer, after: Buffer): string {
  const mark = (bytes: Buffer): string => {
    const text = bytes.toString("latin1");
    return text === "" || text.endsWith("\n") ? text : `${text}\0\n`;
  };
  return diffLines(mark(before), mark(after)).replaceAll(
    "\0\n",
    "\n\\ No newline at end of file\n",
  );
}

function nameBlob(side: Side | null): string {
  if (side === null) return "0".repeat(40);
  return createHash("sha1").update(`blob ${side.bytes.length}\0`).update(side.bytes).digest("hex");
}

/** In quotes where git would be in doubt, every odd byte by its number. */
function quotePath(prefix: string, path: string): string {
  const text = Buffer.from(`${prefix}${path}`).toString("latin1");
  if (/^[\w./@+=,~-]+$/.test(text)) return text;
  const numbered = (char: string) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return `"${text.replaceAll(/[^ !#-[\]-~]/g, numbered)}"`;
}

// Bytes in the words of `GIT binary patch`: deflated, 52 a line, each line with its length and in base 85.

const DIGITS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const PER_LINE = 52;

function encodeBinary(bytes: Uint8Array): string {
  const packed = deflateSync(bytes);
  const lines: string[] = [`literal ${bytes.length}\n`];
  for (let at = 0; at < packed.length; at += PER_LINE)
    lines.push(encodeLine(packed.subarray(at, at + PER_LINE)));
  return lines.join("");
}

/** `A` is one byte, `z` are 52. */
function encodeLine(bytes: Buffer): string {
  const length = String.fromCharCode(bytes.length <= 26 ? 64 + bytes.length : 70 + bytes.length);
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
  bytes.copy(padded);
  let text = "";
  for (let at = 0; at < padded.length; at += 4) text += encodeFour(padded.readUInt32BE(at));
  return `${length}${text}\n`;
}

function encodeFour(value: number): string {
  let text = "";
  for (let rest = value, place = 0; place < 5; place++, rest = Math.floor(rest / 85))
    text = `${DIGITS[rest % 85]}${text}`;
  return text;
}
