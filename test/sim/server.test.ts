import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { Fault } from "../../src/core/command/fault.ts";
import { describeRequest } from "../../src/sim/commands/play-scenario.ts";
import { parseScenario } from "../../src/sim/scenario.ts";
import { startSim } from "../../src/sim/server.ts";
import { ask, post, serve } from "./model-client.ts";
import { anthropic, chat, gemini } from "./wire-clients.ts";

const HELLO = "turns: [{ text: hello }]";

async function canConnect(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test("it listens on 127.0.0.1 and on no other address of the machine", async () => {
  const sim = await serve(HELLO);
  const { hostname, port } = new URL(sim.url);
  expect(hostname).toBe("127.0.0.1");
  expect(await canConnect("127.0.0.1", Number(port))).toBe(true);
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address)
    .filter((address) => address !== "127.0.0.1" && !address.startsWith("fe80"));
  for (const host of [...others, "127.0.0.2"])
    expect(await canConnect(host, Number(port)), host).toBe(false);
});

test("a port that is taken is refused with what to do", async () => {
  const sim = await serve(HELLO);
  const port = Number(new URL(sim.url).port);
  const second = startSim(parseScenario(HELLO, "s.yaml"), { port });
  await expect(second).rejects.toThrow(Fault);
  await expect(second).rejects.toThrow(`port ${port}: cannot be listened on`);
});

test.each([
  {
    what: "Anthropic",
    path: "/v1/messages/count_tokens",
    body: anthropic.body({ stream: false, said: ["hi"] }),
    expected: { input_tokens: expect.any(Number) },
  },
  {
    what: "OpenAI",
    path: "/v1/responses/input_tokens",
    body: { input: "hi" },
    expected: { input_tokens: expect.any(Number) },
  },
  {
    what: "Gemini",
    path: "/v1beta/models/m:countTokens",
    body: gemini.body({ stream: false, said: ["hi"] }),
    expected: { totalTokens: expect.any(Number) },
  },
])("$what tokens are counted without using up a turn", async ({ path, body, expected }) => {
  const sim = await serve("turns: [{ text: hello }]\nexpect: [{ requests: 0 }]");
  const response = await post(sim, path, body);
  expect(await response.json()).toMatchObject(expected);
  expect(sim.requests()).toMatchObject([{ kind: "count_tokens" }]);
  expect(sim.report().holds).toBe(true);
});

test.each([
  { path: "/v1/models", headers: {}, expected: { object: "list" } },
  {
    path: "/v1/models",
    headers: { "anthropic-version": "2023-06-01" },
    expected: { data: [{ type: "model" }] },
  },
  { path: "/v1beta/models", headers: {}, expected: { models: [{ name: "models/sim-model" }] } },
])("the models of $path are listed in the words of who asks", async (asked) => {
  const sim = await serve(HELLO);
  const response = await fetch(`${sim.url}${asked.path}`, { headers: { ...asked.headers } });
  expect(await response.json()).toMatchObject(asked.expected);
});

test("keys are never recorded, only that there was one", async () => {
  const sim = await serve(HELLO);
  await fetch(`${sim.url}/v1/chat/completions?key=very-secret`, {
    method: "POST",
    headers: {
      authorization: "Bearer very-secret",
      "x-goog-api-key": "very-secret",
      cookie: "very-secret",
      "user-agent": "curl/8",
    },
    body: JSON.stringify(chat.body({ stream: false, said: ["hi"] })),
  });
  const [recorded] = sim.requests();
  expect(JSON.stringify(recorded)).not.toContain("very-secret");
  expect(recorded?.headers).toMatchObject({ authorization: "***", "user-agent": "curl/8" });
  expect(recorded?.path).toBe("/v1/chat/completions?key=***");
});

test("a long body is recorded in part and read whole", async () => {
  const sim = await serve("turns: [{ when: { user: THE END }, text: read it all }]");
  const said = [`${"x".repeat(2_000_000)}THE END`];
  expect((await ask(chat, sim, { stream: false, said })).text).toBe("read it all");
  expect(sim.requests()[0]?.isBodyCut).toBe(true);
  expect(sim.requests()[0]?.body.length).toBe(1_048_576);
});

test.each([
  { what: "no JSON", path: "/v1/messages", body: "{", kind: "unreadable", status: 400 },
  {
    what: "another protocol's request",
    path: "/v1/messages",
    body: { contents: [] },
    kind: "unreadable",
    status: 400,
  },
  { what: "an unknown address", path: "/v1/embeddings", body: {}, kind: "unknown", status: 404 },
])("$what is refused and recorded", async ({ path, body, kind, status }) => {
  const sim = await serve(HELLO);
  expect((await post(sim, path, body)).status).toBe(status);
  expect(sim.requests()).toMatchObject([{ kind, answered: String(status) }]);
});

test("a WebSocket is refused so that the client falls back", async () => {
  const sim = await serve(HELLO);
  const upgrade = request(`${sim.url}/v1/responses`, {
    headers: { connection: "Upgrade", upgrade: "websocket" },
  });
  upgrade.end();
  const [response] = await once(upgrade, "response");
  expect(response.statusCode).toBe(426);
});

test("a probe of the root is answered", async () => {
  const sim = await serve(HELLO);
  const response = await fetch(sim.url, { method: "HEAD" });
  expect(response.status).toBe(200);
});

test("a client that leaves while it sends does no harm", async () => {
  const sim = await serve(HELLO);
  const leaving = request(`${sim.url}/v1/messages`, {
    method: "POST",
    headers: { "content-length": "1000" },
  });
  leaving.on("error", () => undefined);
  leaving.write("{");
  await once(leaving, "socket");
  leaving.destroy();
  expect((await ask(chat, sim, { stream: true, said: ["hi"] })).text).toBe("hello");
});

test("a client that leaves in the middle of an answer does no harm", async () => {
  const sim = await serve("turns: [{ text: a long and slow answer, delay: 20ms }]");
  const body = chat.body({ stream: true, said: ["hi"] });
  const response = await post(sim, chat.path(true), body);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  const answer = await ask(chat, sim, { stream: true, said: ["hi"] });
  expect(answer.text).toBe("a long and slow answer");
});

test("requests are told as they come", async () => {
  const told: string[] = [];
  const sim = await startSim(parseScenario(HELLO, "s.yaml"), {
    onRequest: (request) => told.push(describeRequest(request)),
  });
  await ask(chat, sim, { stream: false, said: ["hi"] });
  await sim.close();
  expect(told).toEqual(["1 turn POST /v1/chat/completions: turn 1"]);
});
