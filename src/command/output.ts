/** Text, or bytes that are never re-encoded. */
export type Output = string | Uint8Array;
