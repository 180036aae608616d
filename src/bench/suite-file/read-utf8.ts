import { readFileSync } from "node:fs";

/** Throws where the bytes are no UTF-8: another encoding would reach the agent as rubbish, unseen. */
export function readUtf8(file: string): string {
  const bytes = readFileSync(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("it is not UTF-8 text", { cause });
  }
}
