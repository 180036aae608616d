/** All that a stream gives; null where that is more than so many bytes, and then nobody reads on. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > bytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
