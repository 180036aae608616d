import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { runRule, toolCall } from "./handlers.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A guard on this machine that answers so. */
async function listen(answer: Answer): Promise<string> {
  const server: Server = createServer((request, response) => answer(response, request));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("it listens nowhere");
  return `http://127.0.0.1:${address.port}/guard`;
}

const ask = (url: string, changes: Parameters<typeof runRule>[1] = {}, headers = {}) =>
  runRule({ type: "http", url, headers }, changes);

test("the same envelope goes out and the same verdict comes back", async () => {
  let seen: Promise<string> | null = null;
  let headers: IncomingMessage["headers"] = {};
  const url = await listen((response, request) => {
    seen = text(request);
    headers = request.headers;
    seen.then(() => response.end('{"control":"veto","reason":"no"}'));
  });
  const token = `Bearer ${"$"}{TOKEN}-${"$"}{OWN}`;
  const outcome = await ask(
    url,
    { callerEnv: { TOKEN: "abc" }, env: { OWN: "def" } },
    { authorization: token },
  );
  expect(outcome).toEqual({
    kind: "verdict",
    verdict: { control: "veto", reason: "no" },
    stderr: null,
  });
  expect(JSON.parse((await seen) ?? "")).toEqual(toolCall().envelope);
  expect(headers).toMatchObject({
    authorization: "Bearer abc-def",
    "content-type": "application/json",
  });
});

test("a header that names what is not set is an error, and nobody is asked", async () => {
  const url = await listen(() => {
    throw new Error("asked");
  });
  expect(await ask(url, {}, { authorization: `${"$"}{NOT_SET}` })).toEqual({
    kind: "error",
    problem: "its header needs `NOT_SET`, which is not set",
  });
});

test.each<[what: string, answer: Answer, outcome: object]>([
  ["nothing", (response) => response.writeHead(204).end(), { kind: "none", diagnostic: null }],
  [
    "text",
    (response) => response.end("fine"),
    { kind: "none", diagnostic: 'it printed what is no JSON: "fine"' },
  ],
  [
    "a field nobody knows",
    (response) => response.end('{"x":1}'),
    { kind: "error", problem: "its verdict is invalid: unknown field `x`" },
  ],
  [
    "a failure",
    (response) => response.writeHead(500).end("{}"),
    { kind: "error", problem: "it answered 500, an error" },
  ],
  [
    "a redirection",
    (response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
    { kind: "error", problem: "it answered 307, a redirection, which is not followed" },
  ],
  [
    "more than a megabyte",
    (response) => response.end(" ".repeat(1024 * 1024 + 1)),
    { kind: "error", problem: "it answered with more than 1 MB" },
  ],
  [
    "half an answer",
    (response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => response.destroy());
    },
    { kind: "error", problem: "it could not be asked: aborted" },
  ],
])("an answer of %s", async (_, answer, outcome) => {
  expect(await ask(await listen(answer))).toMatchObject(outcome);
});

test("nobody there", async () => {
  expect(await ask("http://127.0.0.1:1/")).toMatchObject({
    kind: "error",
    problem: expect.stringMatching(/^it could not be asked: /),
  });
});

test("no answer in time", async () => {
  const url = await listen(() => undefined);
  expect(await ask(url, { limitMs: 100 })).toEqual({
    kind: "error",
    problem: "it did not answer within 100 ms",
  });
});

test("an answer that never ends", async () => {
  const url = await listen((response) => {
    response.writeHead(200);
    response.write("{");
  });
  expect(await ask(url, { limitMs: 200 })).toEqual({
    kind: "error",
    problem: "it did not answer within 200 ms",
  });
});

test("a cancel is no timeout", async () => {
  const controller = new AbortController();
  const url = await listen(() => controller.abort());
  expect(await ask(url, { signal: controller.signal })).toEqual({ kind: "cancelled" });
});

test("a place elsewhere without encryption is not asked, whoever compiled the rule", async () => {
  expect(await ask("http://example.com/")).toEqual({
    kind: "error",
    problem: "`http://example.com/` may not be asked",
  });
});
