// Where agents that call HTTP hooks themselves are answered: `POST /hook/AGENT`, while an entry asks for it.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { findHookAgent } from "../../agents/roster.ts";
import { readAtMost } from "../../core/process/read-stream.ts";
import { asRecord, parseJson } from "../../core/project/json-value.ts";
import type { CallTracker } from "./calls.ts";
import { type HttpEntry, readHttpEntry } from "./http-entry.ts";
import { isSameSecret, type WireCall } from "./wire.ts";

export interface HttpListener {
  /** Opens or closes it as the entry in the state folder says. */
  follow(): Promise<void>;
  readonly isOpen: boolean;
  /** Lets running calls end. */
  close(): void;
}

interface HttpListenerOptions extends Omit<HttpServerOptions, "secret"> {
  readonly stateDir: string;
  noteProblem(problem: string): void;
}

export function createHttpListener(options: HttpListenerOptions): HttpListener {
  let open: { readonly entry: HttpEntry; readonly server: Server } | null = null;
  let failedPort: number | null = null;

  const close = () => {
    open?.server.close();
    open?.server.closeIdleConnections();
    open = null;
  };

  const tryOpen = async (entry: HttpEntry) => {
    try {
      open = { entry, server: await listen(entry, options) };
      failedPort = null;
    } catch (error) {
      // Told once, and tried again: the port may come free.
      if (failedPort !== entry.port) options.noteProblem(describeFailure(entry, error));
      failedPort = entry.port;
    }
  };

  return {
    follow: async () => {
      const entry = readHttpEntry(options.stateDir);
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

/** A successor opens the same port before this resident closes it, so that no call finds it shut. */
export const CAN_SHARE_PORT = process.platform === "linux";

async function listen(entry: HttpEntry, options: HttpListenerOptions): Promise<Server> {
  const server = createHttpServer({ ...options, secret: entry.secret });
  server.listen({ port: entry.port, host: "127.0.0.1", reusePort: CAN_SHARE_PORT });
  await once(server, "listening");
  return server;
}

const describeFailure = ({ port }: HttpEntry, error: unknown): string =>
  `port ${port} for HTTP hooks cannot be listened on: ${error instanceof Error ? error.message : error}`;

// `POST /hook/AGENT`: the same answers for agents that call HTTP hooks themselves.

const MAX_BODY_BYTES = 64 << 20;
const PATH = /^\/hook\/([a-z][a-z0-9-]*)$/;

interface HttpServerOptions {
  readonly secret: string;
  readonly calls: CallTracker;
  /** An HTTP call brings no environment: it gets the resident's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly isRetiring: () => boolean;
  readonly refuse: (problem: string) => void;
}

function createHttpServer(options: HttpServerOptions): Server {
  return createServer((request, response) => void receive({ request, response }, options));
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function receive({ request, response }: Exchange, options: HttpServerOptions): Promise<void> {
  const end = (status: number) => response.writeHead(status).end();
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (given === undefined || !isSameSecret(given, options.secret)) {
    options.refuse(given === undefined ? "HTTP without a secret" : "HTTP with a wrong secret");
    end(401);
    return;
  }
  const agent = PATH.exec(request.url ?? "")?.[1];
  if (agent === undefined || request.method !== "POST") {
    end(agent === undefined ? 404 : 405);
    return;
  }
  const payload = await readAtMost(request, MAX_BODY_BYTES);
  if (payload === null) end(413);
  else await answer({ request, response }, { agent, payload: payload.toString() }, options);
}

async function answer(
  { request, response }: Exchange,
  { agent, payload }: { agent: string; payload: string },
  { calls, env, isRetiring }: HttpServerOptions,
): Promise<void> {
  const caller = new AbortController();
  response.once("close", () => caller.abort());
  const own = { isHttp: true, env: await withProject(request, agent, env) };
  const call = { agent, payload, cwd: cwdIn(payload), entryLimitMs: undefined, ...own };
  // There is no cold way here: one that retires still answers, and then lets the connection go.
  if (isRetiring()) response.setHeader("connection", "close");
  const reply = await calls.answer(call, caller.signal);
  response.setHeader("content-type", "application/json");
  response.writeHead(200).end(reply.stdout, () => calls.finish(reply));
}

/** The agent can send its project variable as a header: `X-Adj-Project: $NAME`. */
async function withProject(
  { headers }: IncomingMessage,
  agent: string,
  env: WireCall["env"],
): Promise<WireCall["env"]> {
  const project = headers["x-adj-project"];
  if (typeof project !== "string" || project === "") return env;
  const [variable] = (await findHookAgent(agent))?.abilities.projectVariables ?? [];
  return variable === undefined ? env : { ...env, [variable]: project };
}

/** All agents that call HTTP say in the payload where they are. */
function cwdIn(payload: string): string {
  const { cwd } = asRecord(parseJson(payload));
  // Whoever answers says what is wrong with it.
  return typeof cwd === "string" ? cwd : "/";
}
