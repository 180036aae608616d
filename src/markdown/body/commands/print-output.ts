/** A command's output as text, without the line end a shell would drop; null where it has a NUL byte. */
export function printOutput(kept: Uint8Array, totalBytes: number): string | null {
  if (kept.includes(0)) return null;
  if (totalBytes <= kept.length)
    return Buffer.from(kept)
      .toString()
      .replace(/(?:\r?\n)+$/, "");
  const whole = kept.subarray(0, findCharacterEnd(kept));
  return `${Buffer.from(whole).toString().trimEnd()}\n[output cut: ${whole.length} of ${totalBytes} bytes]`;
}

/** A cut must not leave half a character. */
function findCharacterEnd(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? start : bytes.length;
}
