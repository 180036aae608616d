// `adj mcp --http` in a window that stays open as long as the test.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { ADJ, start } from "./adj.ts";
import type { Era } from "./mcp-client.ts";
import type { SessionHome } from "./session-home.ts";

export interface McpWindow {
  readonly url: string;
  /** The whole header. */
  readonly token: string;
}

export async function openMcpWindow(home: SessionHome): Promise<McpWindow> {
  const window = start(ADJ, ["mcp", "--http"], { cwd: home.project, env: home.env });
  onTestFinished(async () => {
    window.child.kill("SIGINT");
    await window.ended;
  });
  let printed = "";
  window.child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  await window.printed("}\n}\n");
  const { url, headers } = JSON.parse(printed).adjutant;
  return { url, token: headers.Authorization };
}

export async function connectHttp({ url, token }: McpWindow, era: Era): Promise<Client> {
  const headers = { Authorization: token };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const options = era === "2026" ? { versionNegotiation: { mode: "auto" } as const } : {};
  const client = new Client({ name: "test-client", version: "1" }, options);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}
