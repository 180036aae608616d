import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { performPostSteps } from "../../../src/bench/run/post-steps.ts";
import type { PostStep } from "../../../src/bench/suite/suite.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { result } from "../report/results.ts";

const RESULTS = [result({ ending: "passed" }), result({ ending: "failed", repetition: 2 })];

function makeFolder(): string {
  const folder = temporaryFolder("adjutant-post-");
  return folder;
}

/** What the steps complained of. */
async function perform(folder: string, post: readonly PostStep[], signal?: AbortSignal) {
  const said: string[] = [];
  const context = {
    signal: signal ?? new AbortController().signal,
    env: { get: () => undefined, forChild: () => ({ PATH: process.env.PATH ?? "" }) },
    write: async (chunk: string | Uint8Array) => void said.push(String(chunk)),
  };
  await performPostSteps({ post, name: "suite", folder }, RESULTS, { context });
  return said.join("");
}

/** Answers each request in turn, the last way from then on. */
async function serve(...answers: ((response: ServerResponse) => void)[]) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    (answers[bodies.length - 1] ?? answers.at(-1))?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/`, bodies };
}

const answer = (status: number) => (response: ServerResponse) => {
  response.writeHead(status).end();
};

test("a webhook in trouble is called again, and then has suite, run and results", async () => {
  const { url, bodies } = await serve(answer(503), answer(429), answer(200));
  expect(await perform(makeFolder(), [{ kind: "webhook", url }])).toBe("");
  expect(bodies).toHaveLength(3);
  expect(JSON.parse(bodies[2] ?? "")).toEqual({ suite: "suite", run: "run", results: RESULTS });
});

test("a webhook that refuses is not called again", async () => {
  const { url, bodies } = await serve(answer(404));
  const said = await perform(makeFolder(), [{ kind: "webhook", url }]);
  expect(said).toBe("post step `webhook` failed: it answered 404\n");
  expect(bodies).toHaveLength(1);
});

test("an answer that never ends does not keep the program", async () => {
  let isClosed = false;
  const { url } = await serve((response) => {
    response.on("close", () => {
      isClosed = true;
    });
    response.writeHead(200).write("x".repeat(100_000));
  });
  expect(await perform(makeFolder(), [{ kind: "webhook", url }])).toBe("");
  await expect.poll(() => isClosed).toBe(true);
});

test("whoever stops the program does not wait for a webhook", async () => {
  const stop = new AbortController();
  const { url, bodies } = await serve(() => stop.abort());
  const said = await perform(makeFolder(), [{ kind: "webhook", url }], stop.signal);
  expect(said).toMatch(/^post step `webhook` failed: .*abort/);
  expect(bodies).toHaveLength(1);
});

test("a pipe that nobody reads is refused, and the next step is still done", async () => {
  const folder = makeFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const missing = join(folder, "missing", "all.jsonl");
  const file = join(folder, "all.jsonl");
  writeFileSync(file, "{}\n");
  const said = await perform(folder, [
    { kind: "append", file: pipe },
    { kind: "append", file: missing },
    { kind: "append", file },
  ]);
  expect(said).toBe(
    `post step \`append\` failed: \`${pipe}\` is a pipe, not a file\npost step \`append\` failed: \`${missing}\`: it does not exist\n`,
  );
  expect(readFileSync(file, "utf8")).toBe(
    `{}\n${RESULTS.map((one) => `${JSON.stringify(one)}\n`).join("")}`,
  );
});

test("a command that fails is reported with its last words, one that reads nothing is fine", async () => {
  const folder = makeFolder();
  const said = await perform(folder, [
    { kind: "run", command: "exec 0<&-; exit 0" },
    { kind: "run", command: "echo one >&2; printf 'no \\033[31mdisk' >&2; exit 3" },
  ]);
  expect(said).toBe("post step `run` failed: it exited with 3: no \\u{1b}[31mdisk\n");
});
