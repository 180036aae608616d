import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished } from "vitest";
import { longTest } from "../support/tier.ts";
import { ADJ, start } from "./adj.ts";
import { callTool, type Era } from "./mcp-client.ts";
import { makeSessionHome, type SessionHome } from "./session-home.ts";

async function openHttp(): Promise<{ home: SessionHome; url: string; token: string }> {
  const home = makeSessionHome();
  home.write({ "config/commands.yaml": "hello: { description: Hi, argv: [echo, hello] }\n" });
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
  return { home, url, token: headers.Authorization };
}

const post = (url: string, headers: Readonly<Record<string, string>>) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });

describe("over HTTP", () => {
  longTest("clients of both eras with the token are answered, and nobody else", async () => {
    const { home, url, token } = await openHttp();
    for (const era of ["2025", "2026"] satisfies Era[]) {
      const headers = { Authorization: token };
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers },
      });
      const options = era === "2026" ? { versionNegotiation: { mode: "auto" } as const } : {};
      const client = new Client({ name: "test-client", version: "1" }, options);
      await client.connect(transport);
      expect(await callTool(client, "hello")).toMatchObject({ output: "hello\n" });
      await client.close();
    }
    const wrong = `${token}x`;
    const page = { Authorization: token, Origin: "http://127.0.0.1:1" };
    for (const headers of [{}, { Authorization: wrong }, page])
      expect((await post(url, headers)).status).toBe(401);
    const denied = (await home.events()).filter(({ type }) => type === "AccessDenied");
    expect(denied.map(({ data }) => data.problem)).toEqual([
      "MCP without a token",
      "MCP with a wrong token",
      "MCP from a page",
    ]);
    expect((await post(url.replace("/mcp", "/v1/status"), { Authorization: token })).status).toBe(
      401,
    );
  });
});
