import { describe, expect, test } from "vitest";

import { silentReply } from "../../../src/hooks/pipeline/hook-call.ts";
import { createApi } from "../../../src/session/host/api.ts";
import { openIdleHost } from "./idle-host.ts";

const KEY = "k".repeat(32);
const HOOK_KEY = "h".repeat(32);
const SERVER_KEY = "s".repeat(32);

function openApi(beatMs = 60_000) {
  const refused: string[] = [];
  const host = openIdleHost();
  const api = createApi({
    host,
    key: KEY,
    hookKeys: { clientKey: HOOK_KEY, serverKey: SERVER_KEY },
    version: "1",
    refuse: (problem) => refused.push(problem),
    answerHook: async () => silentReply("{}", ""),
    fetchExtension: async () => null,
    stop: () => undefined,
    beatMs,
  });
  const ask = (path: string, init: RequestInit = {}, key: string | null = KEY) =>
    api.request(`http://127.0.0.1:1${path}`, {
      ...init,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...init.headers },
    });
  return { ask, refused, api };
}

const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });
const HOOK = { payload: "{}", env: {}, cwd: "/" };
const PAGE = { headers: { origin: "http://127.0.0.1:1" } };

describe("who is answered", () => {
  test.each<[what: string, path: string, init: RequestInit, key: string | null]>([
    ["nobody without a key", "/v1/status", {}, null],
    ["nobody with another key", "/v1/status", {}, "x".repeat(32)],
    ["no page, whatever key it has", "/v1/status", PAGE, KEY],
    ["no window with a hook's key", "/v1/questions", {}, HOOK_KEY],
    ["no stop with a hook's key", "/v1/stop", { method: "POST" }, HOOK_KEY],
    ["no hook with a window's key", "/v1/hook/codex", post(HOOK), KEY],
  ])("%s", async (_, path, init, key) => {
    const { ask, refused } = openApi();
    expect((await ask(path, init, key)).status).toBe(401);
    expect(refused).toHaveLength(1);
  });

  test("nobody under another name, as after a change of DNS", async () => {
    const { api, refused } = openApi();
    const headers = { authorization: `Bearer ${KEY}` };
    const response = await api.request("http://evil.example:1/v1/status", { headers });
    expect([response.status, refused]).toEqual([401, ["HTTP under a foreign name"]]);
  });

  test("a window with its key, a hook with its own", async () => {
    const { ask } = openApi();
    expect(await (await ask("/v1/status")).json()).toEqual({ version: "1" });
    const hook = await ask("/v1/hook/codex", post(HOOK), HOOK_KEY);
    expect(await hook.json()).toEqual({ key: SERVER_KEY, stdout: "{}", stderr: "" });
  });
});

describe("what it takes", () => {
  const options = {
    cwd: "/p",
    root: "/p",
    agent: null,
    model: null,
    params: { a: [1] },
    via: null,
  };

  test("a prompt, and gives the turn", async () => {
    const { ask } = openApi();
    const path = "/v1/sessions/project%3A%2Fp/turns";
    const sent = await ask(path, post({ text: "hi", options, env: {} }));
    expect(await sent.json()).toMatchObject({ kind: "queued", turn: { number: 1, prompt: "hi" } });
    expect(await (await ask(`${path}?last=5`)).json()).toMatchObject([{ id: "t1", options }]);
  });

  test.each<[what: string, path: string, body: string]>([
    ["no JSON", "/v1/sessions/s/turns", "hi"],
    ["a missing field", "/v1/sessions/s/turns", JSON.stringify({ text: "hi" })],
    ["a field too many", "/v1/sessions/s/steer", JSON.stringify({ text: "hi", more: 1 })],
    ["a wrong type", "/v1/questions/q/answer", JSON.stringify({ answer: true, by: 3 })],
  ])("not %s", async (_, path, body) => {
    const { ask } = openApi();
    expect((await ask(path, { method: "POST", body })).status).toBe(400);
  });

  test("not a number of turns that is none", async () => {
    const { ask } = openApi();
    expect((await ask("/v1/sessions/s/turns?last=-1")).status).toBe(400);
  });
});

test("a stream of events in which nothing happens says again and again that it is there", async () => {
  const { ask } = openApi(5);
  const response = await ask("/v1/events");
  let read = "";
  for await (const chunk of response.body ?? []) {
    read += Buffer.from(chunk).toString();
    if (read.split(": still here\n\n").length > 3) break;
  }
  expect(read).toMatch(/^event: open\ndata: \{\}\n\n(?:: still here\n\n){3}/);
});
