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
    { onerror: (error) => void context.write(`adj: ${describeProblem(error)}\n`, "stderr") },
  );
  context.signal.addEventListener("abort", () => resolve());
  process.stdin.once("end", () => resolve());
  process.stdin.on("data", holdUnread);
  return {
    servers,
    untilEnded: () => ended,
    close: () => {
      process.stdin.off("data", holdUnread);
      return handle.close();
    },
  };
}

/** A client that asks on and on without reading the answers is not read from until it has read some. */
const MAX_UNREAD_BYTES = 8 << 20;

function holdUnread(): void {
  const { stdin, stdout } = process;
  if (stdout.writableLength < MAX_UNREAD_BYTES || stdin.isPaused()) return;
  stdin.pause();
  stdout.once("drain", () => stdin.resume());
}

/** In one line: of a message that is none the library says at length all that it could have been. */
function describeProblem({ message }: Error): string {
  if (message.startsWith("[")) return "what the client said is no message of the protocol";
  return message.startsWith("ReadBuffer exceeded")
    ? "the client said more than 10 MB in one message, so the connection ends"
    : message;
}
