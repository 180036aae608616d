// Where the resident is reached: one line that a shell can split, in a file only the user can read.
import { join } from "node:path";
import type { ProcessIdentity } from "../storage/stores.ts";

export interface ResidentAddress {
  readonly port: number;
  readonly version: string;
  /** What a client must say. */
  readonly clientKey: string;
  /** What every answer begins with. */
  readonly serverKey: string;
  readonly owner: ProcessIdentity;
}

const FORMAT = "adj1";

/** Both keys have this many characters; the client cuts answers by it. */
export const KEY_LENGTH = 32;

export const addressFile = (stateDir: string): string => join(stateDir, "resident");

export function formatAddress(address: ResidentAddress): string {
  const { port, version, clientKey, serverKey, owner } = address;
  const words = [FORMAT, port, owner.pid, version, clientKey, serverKey];
  const identity = [owner.startedAt, owner.host].map(encodeURIComponent);
  return `${[...words, ...identity].join(" ")}\n`;
}

/** Null for anything that is not a whole address. */
export function parseAddress(text: string): ResidentAddress | null {
  const words = text.trimEnd().split(" ");
  const [format, port, pid, version, clientKey, serverKey, startedAt, host] = words;
  if (format !== FORMAT || !version || !startedAt || !host) return null;
  if (clientKey?.length !== KEY_LENGTH || serverKey?.length !== KEY_LENGTH) return null;
  const numbers = [Number(port), Number(pid)] as const;
  if (!numbers.every((number) => Number.isInteger(number) && number > 0)) return null;
  const owner = {
    pid: numbers[1],
    startedAt: decodeURIComponent(startedAt),
    host: decodeURIComponent(host),
  };
  return { port: numbers[0], version, clientKey, serverKey, owner };
}
