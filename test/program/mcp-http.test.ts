import { describe, expect } from "vitest";
import { issueToken } from "../../src/server/mcp/tokens.ts";
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

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "another", version: "1" },
};

const open = ({ url, token }: McpWindow) =>
  fetch(url, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      Authorization: token,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE }),
  }).then((answer) => answer.text());

const statusOf = async (url: string, headers: Readonly<Record<string, string>>) =>
  (await post(url, headers)).status;

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

  longTest("a token is good for its own project's sessions and runs alone", async () => {
    const { home, window } = await openHttp();
    const { url, token } = window;
    const place = { cwd: home.folder, root: home.folder, isAll: false };
    const others = `Bearer ${issueToken(home.stateDir, place)}`;
    const client = await connectHttp(window, "2025");
    const { run_id } = await callTool(client, "hello");
    const session = { "mcp-session-id": client.transport?.sessionId ?? "" };
    expect(await statusOf(url, { Authorization: others, ...session })).toBe(404);
    const left = { method: "DELETE", headers: { Authorization: others, ...session } };
    expect((await fetch(url, left)).status).toBe(404);
    expect(await callTool(client, "hello")).toMatchObject({ output: "hello\n" });
    const other = await connectHttp({ url, token: others }, "2025");
    for (const name of ["adj_wait", "adj_cancel"])
      expect(await callTool(other, name, { run_id })).toMatchObject({
        isError: true,
        text: expect.stringContaining("there is no run"),
      });
    await expect(other.readResource({ uri: `adj://calls/${run_id}/output` })).rejects.toMatchObject(
      { code: -32602 },
    );
    expect(await statusOf(url, { Authorization: token })).toBe(400);
  });

  longTest("a session that is used outlives hundreds that are not", async () => {
    const { window } = await openHttp();
    const client = await connectHttp(window, "2025");
    for (let count = 0; count < 210; count++) {
      await open(window);
      if (count % 50 === 0) await client.ping();
    }
    expect(await callTool(client, "hello")).toMatchObject({ output: "hello\n" });
  });

  longTest("nothing is read of what somebody without a token sends", async () => {
    const { home, window } = await openHttp();
    let read = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        read += 1 << 20;
        controller.enqueue(new Uint8Array(1 << 20));
        if (read > 100 << 20) controller.close();
      },
    });
    const sent: RequestInit & { duplex: "half" } = {
      method: "POST",
      body: endless,
      duplex: "half",
    };
    const status = await fetch(window.url, sent).then(
      (answer) => answer.status,
      () => "cut off",
    );
    expect([401, "cut off"]).toContain(status);
    expect(read).toBeLessThan(64 << 20);
    expect((await home.events()).some(({ type }) => type === "AccessDenied")).toBe(true);
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
