// Stands between the suite and our server. The suite has no token, so it gets ours; its tools have underscores, which names of
// commands have not. Host and Origin go through as they came, since the suite looks at what we do with foreign ones.
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { TRANSLATED } from "./suite-commands.ts";

interface Target {
  readonly url: string;
  readonly token: string;
}

const NAMED = /"name":\s*"((?:test|json_schema)[\w-]*)"/g;

/** Names and addresses of the suite become ours; an address of ours becomes theirs on the way back. */
const toOurs = (body: string): string =>
  Object.entries(TRANSLATED).reduce(
    (text, [theirs, ours]) => text.replaceAll(`"${theirs}"`, `"${ours}"`),
    body.replaceAll(NAMED, (_, name: string) => `"name":"${name.replaceAll("_", "-")}"`),
  );

const toTheirs = (body: string): string =>
  Object.entries(TRANSLATED).reduce(
    (text, [theirs, ours]) => text.replaceAll(`"${ours}"`, `"${theirs}"`),
    body.replaceAll(/"name":"((?:test|json-schema)[\w-]*)"/g, (_, name: string) =>
      JSON.stringify({ name: name.replaceAll("-", "_") }).slice(1, -1),
    ),
  );

export async function openSuiteProxy(target: Target): Promise<{ url: string; close(): void }> {
  const server = createServer((incoming, outgoing) => void pass(target, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function pass(
  { url, token }: Target,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const own = new URL(url).host;
  const proxy = `127.0.0.1:${incoming.socket.localPort}`;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = toOurs(Buffer.concat(chunks).toString());
  const { host = "", origin, "content-length": _, ...headers } = incoming.headers;
  const given = {
    ...headers,
    host: host === proxy ? own : host,
    ...(origin === undefined ? {} : { origin: origin.replace(proxy, own) }),
    authorization: token,
    ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
  const passed = ask(url, { method: incoming.method ?? "GET", headers: given }, (answer) => {
    const { "content-length": __, ...answered } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 500, answered);
    // One event is one chunk of ours, so no name is torn apart.
    answer.on("data", (chunk: Buffer) => outgoing.write(toTheirs(chunk.toString())));
    answer.on("end", () => outgoing.end());
    answer.on("error", () => outgoing.destroy());
  });
  passed.on("error", () => outgoing.destroy());
  outgoing.on("close", () => passed.destroy());
  passed.end(body);
}
