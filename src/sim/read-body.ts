import type { IncomingMessage } from "node:http";

/** Far above what any agent sends; what is longer is cut, and then no longer readable as a request. */
const LIMIT = 67_108_864;

/** Null where the client left while it was sending. */
export async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming) {
      const bytes = Buffer.from(chunk).subarray(0, LIMIT - length);
      length += bytes.length;
      chunks.push(bytes);
    }
  } catch (error) {
    if (incoming.destroyed) return null;
    throw error;
  }
  return Buffer.concat(chunks);
}
