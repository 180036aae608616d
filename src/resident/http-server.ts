// `POST /hook/AGENT`: the same answers for agents that call HTTP hooks themselves.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { CallDesk } from "./call-desk.ts";
import { isSameSecret, type WireCall } from "./wire.ts";

const MAX_BODY_BYTES = 64 << 20;
const PATH = /^\/hook\/([a-z][a-z0-9-]*)$/;

export interface HttpParts {
  readonly secret: string;
  readonly desk: CallDesk;
  /** An HTTP call brings no environment: it gets the resident's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly isRetiring: () => boolean;
  readonly refuse: (problem: string) => void;
}

export function createHttpServer(parts: HttpParts): Server {
  return createServer((request, response) => void receive({ request, response }, parts));
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function receive({ request, response }: Exchange, parts: HttpParts): Promise<void> {
  const end = (status: number, body = "") => response.writeHead(status).end(body);
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (given === undefined || !isSameSecret(given, parts.secret)) {
    parts.refuse(given === undefined ? "HTTP without a secret" : "HTTP with a wrong secret");
    end(401);
    return;
  }
  const agent = PATH.exec(request.url ?? "")?.[1];
  if (agent === undefined || request.method !== "POST") {
    end(agent === undefined ? 404 : 405);
    return;
  }
  const payload = await readBody(request);
  if (payload === null) end(413);
  else await answer({ request, response }, { agent, payload }, parts);
}

async function answer(
  { request, response }: Exchange,
  { agent, payload }: { agent: string; payload: string },
  { desk, env, isRetiring }: HttpParts,
): Promise<void> {
  const caller = new AbortController();
  response.once("close", () => caller.abort());
  const call = { agent, payload, cwd: cwdIn(payload), env: withProject(request, env) };
  // There is no cold way here: one that retires still answers, and then lets the connection go.
  if (isRetiring()) response.setHeader("connection", "close");
  const reply = await desk.answer(call, caller.signal);
  response.setHeader("content-type", "application/json");
  response.writeHead(200).end(reply.stdout, () => desk.finish(reply));
}

/** The agent can send its project variable as a header: `X-Adj-Project: $CLAUDE_PROJECT_DIR`. */
function withProject({ headers }: IncomingMessage, env: WireCall["env"]): WireCall["env"] {
  const project = headers["x-adj-project"];
  return typeof project === "string" && project !== ""
    ? { ...env, CLAUDE_PROJECT_DIR: project }
    : env;
}

/** All agents that call HTTP say in the payload where they are. */
function cwdIn(payload: string): string {
  try {
    const value: unknown = JSON.parse(payload);
    const isPlaced = typeof value === "object" && value !== null && "cwd" in value;
    return isPlaced && typeof value.cwd === "string" ? value.cwd : "/";
  } catch {
    // Whoever answers says what is wrong with it.
    return "/";
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
