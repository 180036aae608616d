// `/mcp` of the host: the same server as on stdio, for clients that have a token. Clients of 2025 have a session each, those of
// 2026 need none.
import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { newId } from "../../core/command/new-id.ts";
import type { HostServices } from "../../core/commands/host-extension.ts";
import type { Connection } from "./host-calls.ts";
import { RequestGate } from "./request-gate.ts";
import { createMcpServer } from "./server.ts";
import { findToken, type TokenGrant } from "./tokens.ts";
import { createOfferWatch } from "./watch-offer.ts";

type McpFetch = (request: Request) => Promise<Response>;

/** Clients go away without a word: whose session was not used for the longest time goes first. */
const MAX_SESSIONS = 200;

interface OpenSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly project: ServedProject;
}

/** Sessions of clients of 2025, the one that was used last at the end. */
class OpenSessions {
  readonly #sessions = new Map<string, OpenSession>();

  /** Only with a token of the project that it was opened for. */
  find(id: string, project: ServedProject): OpenSession["transport"] | null {
    const known = this.#sessions.get(id);
    if (known?.project !== project) return null;
    this.#sessions.delete(id);
    this.#sessions.set(id, known);
    return known.transport;
  }

  async open(project: ServedProject): Promise<OpenSession["transport"]> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, project });
        const [oldest] = this.#sessions.values();
        if (this.#sessions.size > MAX_SESSIONS) void oldest?.transport.close();
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const server = createMcpServer(project.connect());
    const leave = project.join(server);
    await server.connect(transport);
    const closed = transport.onclose;
    transport.onclose = () => {
      leave();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      closed?.();
    };
    return transport;
  }
}

export function createMcpFetch(services: HostServices, host: Connection["host"]): McpFetch {
  const { program, refuse } = services;
  const sessions = new OpenSessions();
  const projects = new Map<string, ServedProject>();
  const findProject = (grant: TokenGrant): ServedProject => {
    const { cwd, root, isAll } = grant;
    const key = JSON.stringify([cwd, root, isAll]);
    const known = projects.get(key) ?? serveProject(services, host, grant);
    projects.set(key, known);
    return known;
  };
  return async (request) => {
    const grant = findGrant(program.stateDir, request);
    if (typeof grant === "string") {
      refuse(grant);
      return Response.json({ error: "not permitted" }, { status: 401 });
    }
    const served = findProject(grant);
    const session = request.headers.get("mcp-session-id");
    const known = session === null ? null : sessions.find(session, served);
    if (known !== null) return known.handleRequest(request);
    if (!(await isLegacyRequest(request.clone()))) return served.fetch(request);
    if (session !== null || request.method !== "POST")
      return Response.json({ error: "there is no such session" }, { status: 404 });
    if (!(await isOpening(request.clone())))
      return Response.json({ error: "it opens no session and names none" }, { status: 400 });
    return (await sessions.open(served)).handleRequest(request);
  };
}

/** What the clients of one project share: whoever listens hears of new commands. */
interface ServedProject {
  connect(): Connection;
  /** A client of 2025; what is returned ends it. */
  join(server: Server): () => void;
  /** For clients of 2026. */
  fetch(request: Request): Promise<Response>;
}

function serveProject(
  { program, env }: HostServices,
  host: Connection["host"],
  { cwd, root, isAll }: TokenGrant,
): ServedProject {
  const servers = new Set<Server>();
  const listening = new Set<AbortSignal>();
  const watch = createOfferWatch(async () => {
    handler.notify.toolsChanged();
    handler.notify.promptsChanged();
    for (const server of servers) {
      await server.sendToolListChanged();
      await server.sendPromptListChanged();
    }
  });
  const gate = new RequestGate();
  const connect = (): Connection => ({
    ...{ program, host, cwd, root, isAll, gate, onOffer: watch.note },
    sessionId: `mcp-${newId()}`,
    // A mark that commands are below an agent: over HTTP nobody else sets one.
    env: async () => ({ ...env, ADJ_DEPTH: "1" }),
  });
  const handler = createMcpHandler(() => createMcpServer(connect()), { legacy: "reject" });
  const updateWatch = watchWhile(
    () => servers.size + listening.size > 0,
    (signal) => void watch.run(connect(), signal),
  );
  return {
    connect,
    join: (server) => {
      servers.add(server);
      updateWatch();
      return () => {
        servers.delete(server);
        updateWatch();
      };
    },
    fetch: (request) => {
      if (request.headers.get("mcp-method") === "subscriptions/listen") {
        const { signal } = request;
        listening.add(signal);
        signal.addEventListener("abort", () => {
          listening.delete(signal);
          updateWatch();
        });
        updateWatch();
      }
      return handler.fetch(request);
    },
  };
}

/** Files are looked at only as long as somebody wants to hear of them; call what is returned whenever that may have changed. */
function watchWhile(isWanted: () => boolean, start: (signal: AbortSignal) => void): () => void {
  let watching: AbortController | null = null;
  return () => {
    if (isWanted() && watching === null) {
      watching = new AbortController();
      start(watching.signal);
    } else if (!isWanted()) {
      watching?.abort();
      watching = null;
    }
  };
}

/** What the token stands for, or what is wrong. */
function findGrant(stateDir: string, request: Request): TokenGrant | string {
  const name = new URL(request.url).hostname;
  if (name !== "127.0.0.1" && name !== "localhost") return "MCP under a foreign name";
  if (request.headers.has("origin")) return "MCP from a page";
  const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return "MCP without a token";
  return findToken(stateDir, token) ?? "MCP with a wrong token";
}

async function isOpening(request: Request): Promise<boolean> {
  try {
    const body: unknown = await request.json();
    return [body].flat().some(isInitializeRequest);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
