// Whether two paths hold the same: the cheapest sign first, the bytes last.
import { lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode } from "../../config/file-problem.ts";

const LONG = 128 * 1024;

/** Never follows a link. Whatever cannot be read differs from what can. */
export function compareEntries(one: string, other: string): "same" | "different" | "long" {
  const [first, second] = [lookAt(one), lookAt(other)];
  if (typeof first === "string" || typeof second === "string") return say(first === second);
  if (kindOf(first) !== kindOf(second)) return "different";
  if (first.isSymbolicLink()) return say(readlinkSync(one) === readlinkSync(other));
  if (!first.isFile()) return "same";
  if (first.size !== second.size) return "different";
  if (first.size > LONG) return "long";
  if (first.size === 0) return "same";
  const [bytes, others] = [readBytes(one), readBytes(other)];
  if (typeof bytes === "string" || typeof others === "string") return say(bytes === others);
  return say(bytes.equals(others));
}

const say = (isSame: boolean) => (isSame ? "same" : "different");

/** Of the rights of a file only whether it is a program, as in git. */
const kindOf = (stats: Stats): string =>
  `${stats.mode & 0o170000} ${stats.isFile() && (stats.mode & 0o111) !== 0}`;

const lookAt = (path: string): Stats | string => orItsError(() => lstatSync(path));
const readBytes = (path: string): Buffer | string => orItsError(() => readFileSync(path));

function orItsError<Value>(look: () => Value): Value | string {
  try {
    return look();
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

/** Two files of the same size, piece by piece. */
export async function compareLongFiles(one: string, other: string): Promise<boolean> {
  await using first = await open(one);
  await using second = await open(other);
  const [here, there] = [Buffer.allocUnsafe(LONG), Buffer.allocUnsafe(LONG)];
  for (;;) {
    const [length, otherLength] = [await fill(first, here), await fill(second, there)];
    if (!here.subarray(0, length).equals(there.subarray(0, otherLength))) return false;
    if (length < LONG) return true;
  }
}

/** A read may bring less than there is. */
async function fill(file: FileHandle, buffer: Buffer): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}
