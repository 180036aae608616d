// `/mcp` of the host: the same server as on stdio, for clients that have a token. Clients of 2025 have a session each, those of
// 2026 need none.
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { newId } from "../../core/command/new-id.ts";
import type { HostServices } from "../../core/commands/host-extension.ts";
import type { Connection } from "./host-calls.ts";
import { createMcpServer } from "./server.ts";
import { findToken, type TokenPlace } from "./tokens.ts";

export type McpFetch = (request: Request) => Promise<Response>;

/** Sessions of clients that went away without a word. */
const MAX_SESSIONS = 200;

export function createMcpFetch(
  { program, env, refuse }: HostServices,
  host: Connection["host"],
): McpFetch {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const connect = ({ cwd, root, isAll }: TokenPlace): Connection => ({
    ...{ program, host, cwd, root, isAll },
    sessionId: `mcp-${newId()}`,
    // A mark that commands are below an agent: over HTTP nobody else sets one.
    env: { ...env, ADJ_DEPTH: "1" },
  });
  const openSession = async (place: TokenPlace) => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newId,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        const [oldest] = sessions.keys();
        if (sessions.size > MAX_SESSIONS && oldest !== undefined)
          void sessions.get(oldest)?.close();
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await createMcpServer(connect(place)).connect(transport);
    return transport;
  };
  return async (request) => {
    const place = findPlace(program.stateDir, request);
    if (typeof place === "string") {
      refuse(place);
      return Response.json({ error: "not permitted" }, { status: 401 });
    }
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    if (known !== undefined) return known.handleRequest(request);
    if (!(await isLegacyRequest(request.clone())))
      return createMcpHandler(() => createMcpServer(connect(place)), { legacy: "reject" }).fetch(
        request,
      );
    if (request.headers.has("mcp-session-id") || !(await isOpening(request.clone())))
      return Response.json({ error: "there is no such session" }, { status: 404 });
    return (await openSession(place)).handleRequest(request);
  };
}

/** What the token stands for, or what is wrong. */
function findPlace(stateDir: string, request: Request): TokenPlace | string {
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
