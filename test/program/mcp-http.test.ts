import { describe, expect } from "vitest";
import { longTest } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { callTool, type Era } from "./mcp-client.ts";
import { connectHttp, type McpWindow, openMcpWindow } from "./mcp-window.ts";
import { makeSessionHome, type SessionHome } from "./session-home.ts";

async function openHttp(): Promise<{ home: SessionHome; window: McpWindow }> {
  const home = makeSessionHome();
  home.write({ "config/commands.yaml": "hello: { description: Hi, argv: [echo, hello] }\n" });
  return { home, window: await openMcpWindow(home) };
}

const post = (url: string, headers: Readonly<Record<string, string>>) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });

describe("over HTTP", () => {
  longTest("clients of both eras with the token are answered, and nobody else", async () => {
    const { home, window } = await openHttp();
    const { url, token } = window;
    for (const era of ["2025", "2026"] satisfies Era[]) {
      const client = await connectHttp(window, era);
      expect(await callTool(client, "hello")).toMatchObject({ output: "hello\n" });
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

  longTest.each<Era>(["2025", "2026"])(
    "a client of %s that listens hears of a command that was added",
    async (era) => {
      const { home, window } = await openHttp();
      const client = await connectHttp(window, era);
      let changes = 0;
      client.setNotificationHandler("notifications/tools/list_changed", () => {
        changes += 1;
      });
      if (era === "2026") await client.listen({ toolsListChanged: true });
      const names = async () => (await client.listTools()).tools.map(({ name }) => name);
      expect(await names()).not.toContain("added");
      home.write({
        "config/commands.yaml":
          "hello: { description: Hi, argv: [echo, hello] }\nadded: { description: New, argv: [echo] }\n",
      });
      await waitUntil(() => changes > 0);
      expect(await names()).toContain("added");
    },
  );
});
