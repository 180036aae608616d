import type { IncomingMessage } from "node:http";

const LIMIT = 67_108_864;

export type Body =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "too_long" }
  /** The client left while it was sending. */
  | { readonly kind: "gone" };

export async function readBody(incoming: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > LIMIT) return { kind: "too_long" };
      chunks.push(bytes);
    }
  } catch (error) {
    if (incoming.destroyed) return { kind: "gone" };
    throw error;
  }
  return { kind: "whole", bytes: Buffer.concat(chunks) };
}
