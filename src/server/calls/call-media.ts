// What a command printed that is no text: a screenshot, a recording, an archive. Pure.
import type { Output } from "../../core/command/result.ts";

export interface CallMedia {
  readonly mimeType: string;
  /** In base64; absent where it is too much to be kept. */
  readonly data?: string;
}

/** What is kept of a call, as a file, and handed on as a resource. */
const MAX_KEPT_BYTES = 4 << 20;
/** So far from the beginning a program's bytes are looked at for a zero, which no text holds. */
const LOOKED_AT_BYTES = 8_192;

const at = (bytes: Buffer, offset: number, text: string): boolean =>
  bytes.toString("latin1", offset, offset + text.length) === text;

/** By how such files begin. */
const SIGNATURES: readonly (readonly [mimeType: string, is: (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => at(bytes, 0, "\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (bytes) => at(bytes, 0, "\xff\xd8\xff")],
  ["image/gif", (bytes) => at(bytes, 0, "GIF87a") || at(bytes, 0, "GIF89a")],
  ["image/webp", (bytes) => at(bytes, 0, "RIFF") && at(bytes, 8, "WEBP")],
  ["audio/wav", (bytes) => at(bytes, 0, "RIFF") && at(bytes, 8, "WAVE")],
  ["audio/mpeg", (bytes) => at(bytes, 0, "ID3")],
  ["audio/ogg", (bytes) => at(bytes, 0, "OggS")],
  ["application/pdf", (bytes) => at(bytes, 0, "%PDF-")],
];

/** Null for text, in whatever encoding. */
export function readMedia(output: Output): CallMedia | null {
  if (typeof output === "string") return null;
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  const [known] = SIGNATURES.find(([, is]) => is(bytes)) ?? [];
  const isBinary = known !== undefined || bytes.subarray(0, LOOKED_AT_BYTES).includes(0);
  if (!isBinary) return null;
  const mimeType = known ?? "application/octet-stream";
  return bytes.length > MAX_KEPT_BYTES
    ? { mimeType }
    : { mimeType, data: bytes.toString("base64") };
}

/** What stands for it wherever only text is shown. */
export const describeMedia = ({ mimeType }: CallMedia, { byteLength }: Uint8Array): string =>
  `${mimeType}, ${byteLength} bytes`;
