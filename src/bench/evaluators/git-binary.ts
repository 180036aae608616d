// Bytes in the words of `GIT binary patch`: deflated, 52 a line, each line with its length and in base 85.
import { deflateSync } from "node:zlib";

const DIGITS =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const PER_LINE = 52;

export function encodeBinary(bytes: Uint8Array): string {
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
