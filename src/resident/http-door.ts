// The door for HTTP hooks, open while somebody asked for one.
import { once } from "node:events";
import type { Server } from "node:http";
import { type HttpEntry, readHttpEntry } from "./http-entry.ts";
import { createHttpServer, type HttpParts } from "./http-server.ts";

export interface HttpDoor {
  /** Opens or closes it as the entry in the state folder says. */
  follow(): Promise<void>;
  readonly isOpen: boolean;
  /** Lets running calls end. */
  close(): void;
}

interface DoorParts extends Omit<HttpParts, "secret"> {
  readonly stateDir: string;
  noteProblem(problem: string): void;
}

export function createHttpDoor(parts: DoorParts): HttpDoor {
  let open: { readonly entry: HttpEntry; readonly server: Server } | null = null;
  let failedPort: number | null = null;

  const close = () => {
    open?.server.close();
    open?.server.closeIdleConnections();
    open = null;
  };

  const tryOpen = async (entry: HttpEntry) => {
    try {
      open = { entry, server: await listen(entry, parts) };
      failedPort = null;
    } catch (error) {
      // Told once, and tried again: the port may come free.
      if (failedPort !== entry.port) parts.noteProblem(describe(entry, error));
      failedPort = entry.port;
    }
  };

  return {
    follow: async () => {
      const entry = readHttpEntry(parts.stateDir);
      const isSame = entry?.port === open?.entry.port && entry?.secret === open?.entry.secret;
      if (isSame) return;
      close();
      if (entry !== null) await tryOpen(entry);
    },
    get isOpen() {
      return open !== null;
    },
    close,
  };
}

async function listen(entry: HttpEntry, parts: DoorParts): Promise<Server> {
  const server = createHttpServer({ ...parts, secret: entry.secret });
  // A successor opens the same port before this one closes it, so that no call finds it shut.
  const reusePort = process.platform === "linux";
  server.listen({ port: entry.port, host: "127.0.0.1", reusePort });
  await once(server, "listening");
  return server;
}

const describe = ({ port }: HttpEntry, error: unknown): string =>
  `port ${port} for HTTP hooks cannot be listened on: ${error instanceof Error ? error.message : error}`;
