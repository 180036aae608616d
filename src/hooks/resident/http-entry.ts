// Where agents that call HTTP hooks find the resident. Unlike the client's address it stands in the agents' own
// files, so port and secret stay the same from one resident to the next.
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileErrorCode, replaceFile } from "../../core/project/files.ts";

export interface HttpEntry {
  readonly port: number;
  /** Sent as `Authorization: Bearer …`. */
  readonly secret: string;
}

const entryFile = (stateDir: string): string => join(stateDir, "resident-http");

export const hookUrl = ({ port }: HttpEntry, agent: string): string =>
  `http://127.0.0.1:${port}/hook/${agent}`;

/** Null where nobody asked for one. */
export function readHttpEntry(stateDir: string): HttpEntry | null {
  try {
    const [port, secret] = readFileSync(entryFile(stateDir), "utf8").trimEnd().split(" ");
    return Number(port) > 0 && secret ? { port: Number(port), secret } : null;
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** The entry there is, else a new one on a port that is free now. */
export async function prepareHttpEntry(stateDir: string): Promise<HttpEntry> {
  const known = readHttpEntry(stateDir);
  if (known !== null) return known;
  const entry = { port: await findFreePort(), secret: randomBytes(24).toString("base64url") };
  replaceFile(entryFile(stateDir), `${entry.port} ${entry.secret}\n`);
  return entry;
}

export const removeHttpEntry = (stateDir: string): void =>
  rmSync(entryFile(stateDir), { force: true });

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
