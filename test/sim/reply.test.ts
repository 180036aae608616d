import { describe, expect, test } from "vitest";
import { ask, parseEvents, post, serve } from "./model-client.ts";
import { anthropic, chat, gemini, responses, WIRE_CLIENTS } from "./wire-clients.ts";

const question = { stream: true, said: ["do it"] };
const withFault = (fault: string) => `turns: [{ fault: { ${fault} }, text: the answer to it all }]`;

async function readUntilCut(response: Response): Promise<{ text: string; isCut: boolean }> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes);
  } catch {
    return { text, isCut: true };
  }
  return { text, isCut: false };
}

test.each([
  {
    client: anthropic,
    status: 401,
    body: { type: "error", error: { type: "authentication_error", message: "no" } },
  },
  { client: anthropic, status: 529, body: { error: { type: "overloaded_error" } } },
  { client: anthropic, status: 500, body: { error: { type: "api_error" } } },
  { client: responses, status: 401, body: { error: { code: "invalid_api_key", message: "no" } } },
  { client: chat, status: 429, body: { error: { code: "rate_limit_exceeded" } } },
  { client: chat, status: 503, body: { error: { type: "server_error" } } },
  { client: gemini, status: 429, body: { error: { code: 429, status: "RESOURCE_EXHAUSTED" } } },
  { client: gemini, status: 503, body: { error: { code: 503, status: "UNAVAILABLE" } } },
])("status $status looks as $client.name says it", async ({ client, status, body }) => {
  const sim = await serve(withFault(`status: ${status}, message: "no"`));
  const response = await post(sim, client.path(true), client.body(question));
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject(body);
});

test("a fault is given as often as it says, then the turn itself", async () => {
  const sim = await serve(withFault("status: 429, retry_after: 2s, times: 2"));
  const send = () => post(sim, chat.path(true), chat.body(question));
  const first = await send();
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "2"]);
  expect((await send()).status).toBe(429);
  expect((await ask(chat, sim, question)).text).toBe("the answer to it all");
});

test("a fault without a turn of its own is in the way of the next turn", async () => {
  const sim = await serve("turns: [{ fault: { status: 500 } }, { text: after all }]");
  expect((await post(sim, chat.path(true), chat.body(question))).status).toBe(500);
  expect((await ask(chat, sim, question)).text).toBe("after all");
});

test("a fault that is there for ever never gives way", async () => {
  const sim = await serve(withFault("status: 503, times: forever"));
  for (let tries = 0; tries < 5; tries++)
    expect((await post(sim, chat.path(true), chat.body(question))).status).toBe(503);
});

test("Gemini is told when to come back in the body, too", async () => {
  const sim = await serve(withFault("status: 429, retry_after: 1500ms"));
  const response = await post(sim, gemini.path(true), gemini.body(question));
  expect(await response.json()).toMatchObject({
    error: { details: [{ retryDelay: "1.5s" }] },
  });
});

describe.each(WIRE_CLIENTS)("$name", (client) => {
  test("a dropped stream ends after as many events as it says, and is whole the next time", async () => {
    const sim = await serve(withFault("drop_after: 2"));
    const cut = await readUntilCut(await post(sim, client.path(true), client.body(question)));
    expect(cut.isCut).toBe(true);
    expect(parseEvents(cut.text)).toHaveLength(2);
    expect((await ask(client, sim, question)).text).toBe("the answer to it all");
  });

  test("a whole answer is dropped in its middle", async () => {
    const sim = await serve(withFault("drop_after: 1"));
    const whole = { ...question, stream: false };
    const cut = await readUntilCut(await post(sim, client.path(false), client.body(whole)));
    expect(cut.isCut).toBe(true);
    expect(cut.text).not.toBe("");
    expect(() => JSON.parse(cut.text)).toThrow();
  });

  test("a malformed frame is broken JSON between sound ones", async () => {
    const sim = await serve(withFault("malformed_frame: 2"));
    const response = await post(sim, client.path(true), client.body(question));
    const events = parseEvents(await response.text());
    expect(() => JSON.parse(events[0]?.data ?? "")).not.toThrow();
    expect(() => JSON.parse(events[1]?.data ?? "")).toThrow();
    expect(() => JSON.parse(events[2]?.data ?? "")).not.toThrow();
  });

  test("a wrong content type labels the right answer", async () => {
    const sim = await serve(withFault("content_type: text/html"));
    const response = await post(sim, client.path(true), client.body(question));
    expect(response.headers.get("content-type")).toBe("text/html");
    expect(parseEvents(await response.text()).length).toBeGreaterThan(2);
  });
});

test("a page can stand in for the answer", async () => {
  const sim = await serve(withFault("content_type: text/html, body: <h1>log in</h1>"));
  const response = await post(sim, chat.path(true), chat.body(question));
  expect([response.status, await response.text()]).toEqual([200, "<h1>log in</h1>"]);
});

test("a hang sends nothing while others are answered, until the client gives up", async () => {
  const sim = await serve(withFault("hang: true"));
  const leaving = new AbortController();
  const asked = fetch(`${sim.url}${chat.path(true)}`, {
    method: "POST",
    body: JSON.stringify(chat.body(question)),
    signal: leaving.signal,
  });
  await expect.poll(() => sim.requests().length).toBe(1);
  expect((await ask(chat, sim, question)).text).toBe("the answer to it all");
  expect(await Promise.race([asked, "silence"])).toBe("silence");
  leaving.abort();
  await expect(asked).rejects.toThrow();
  expect(sim.requests()[0]?.answered).toBe("fault hang of turn 1");
});

test("a stream can fall silent after its first events", async () => {
  const sim = await serve(withFault("hang_after: 1"));
  const response = await post(sim, chat.path(true), chat.body(question));
  const reader = response.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(parseEvents(first)).toHaveLength(1);
  const next = reader?.read().then(() => "more");
  expect((await ask(chat, sim, question)).text).toBe("the answer to it all");
  expect(await Promise.race([next, "silence"])).toBe("silence");
  await reader?.cancel();
});

test("slow tokens come one after the other", async () => {
  const sim = await serve("turns: [{ text: slowly it comes, delay: 20ms }]");
  const before = performance.now();
  const answer = await ask(chat, sim, question);
  expect(answer.text).toBe("slowly it comes");
  expect(performance.now() - before).toBeGreaterThan(80);
});

test("closing the server frees a client that hangs", async () => {
  const sim = await serve(withFault("hang: true"));
  const asked = post(sim, chat.path(true), chat.body(question));
  const refused = expect(asked).rejects.toThrow();
  await expect.poll(() => sim.requests().length).toBe(1);
  await sim.close();
  await refused;
});
