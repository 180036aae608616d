// The client on stdin and stdout, from its first line to its end.
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { CommandContext } from "../../core/command/context.ts";

interface StdioClient {
  /** The servers that it speaks to, to tell them what changed. */
  readonly servers: ReadonlySet<Server>;
  /** Clients end with SIGINT, SIGTERM or the end of what they write. */
  untilEnded(): Promise<void>;
  close(): Promise<void>;
}

export function serveStdioClient(makeServer: () => Server, context: CommandContext): StdioClient {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const servers = new Set<Server>();
  const handle = serveStdio(
    () => {
      const server = makeServer();
      servers.add(server);
      server.onclose = resolve;
      return server;
    },
    { onerror: (error) => void context.write(`adj: ${error.message}\n`, "stderr") },
  );
  context.signal.addEventListener("abort", () => resolve());
  process.stdin.once("end", () => resolve());
  return { servers, untilEnded: () => ended, close: () => handle.close() };
}
