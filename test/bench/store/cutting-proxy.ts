// A way to the server that is cut when a `COMMIT` has gone over it: its answer never arrives.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  readonly port: number;
  /** Cuts the connection of the next one. */
  nextCommit(): void;
  cuts(): number;
  close(): void;
}

export async function openCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  let isArmed = false;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    let isCommitting = false;
    const end = (): void => void [client, server].map((socket) => socket.destroy());
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.on("data", (bytes) => {
      if (isArmed && bytes.includes("COMMIT")) {
        isArmed = false;
        isCommitting = true;
      }
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (!isCommitting) client.write(bytes);
      else {
        cuts += 1;
        end();
      }
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return {
    port: address.port,
    nextCommit: () => {
      isArmed = true;
    },
    cuts: () => cuts,
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
