import { once } from "node:events";
import type { Server } from "node:http";
import { fault } from "../command/fault.ts";

export const LOOPBACK = "127.0.0.1";

/** The port that was given; a taken one is a fault of the caller's. */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  server.listen(port, LOOPBACK);
  try {
    await once(server, "listening");
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw fault(
      "InputInvalid",
      { what: `port ${port}`, problem: `cannot be listened on: ${problem}` },
      { hint: "choose another port or leave it out", cause },
    );
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
