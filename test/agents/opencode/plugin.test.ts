// The text of opencode's plugin, loaded as opencode loads it, with a real client program behind it.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { makePluginSource } from "../../../src/agents/opencode/plugin.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type Answers = Readonly<Record<string, unknown>>;
type Hook = (input: unknown, output?: unknown) => Promise<void>;

const SESSION = "ses_1";

/** Answers by event, and writes down what it was told; at session start it sets PATH as `adj` does. */
function writeClient(folder: string, answers: Answers): string {
  const client = join(folder, "client");
  const lines = [
    `#!${process.execPath}`,
    `const { appendFileSync, readFileSync } = require("node:fs");`,
    `const payload = JSON.parse(readFileSync(0, "utf8"));`,
    `appendFileSync(${JSON.stringify(join(folder, "told"))}, JSON.stringify({ words: process.argv.slice(2), payload }) + "\\n");`,
    `if (payload.event === "session.start")`,
    `  appendFileSync(process.env.CLAUDE_ENV_FILE, "export PATH='/shim folder':\\"$PATH\\" ADJ_SESSION_ID='s 1'\\n");`,
    `const answer = ${JSON.stringify(answers)}[payload.event];`,
    `process.stdout.write(typeof answer === "string" ? answer : JSON.stringify(answer ?? {}));`,
  ];
  writeFileSync(client, lines.join("\n"));
  chmodSync(client, 0o755);
  return client;
}

async function loadPlugin(
  answers: Answers,
  client?: string,
  { isGuarded = false, askLimitMs = 60_000 } = {},
) {
  const folder = temporaryFolder();
  const file = join(folder, "adjutant.mjs");
  writeFileSync(
    file,
    makePluginSource([client ?? writeClient(folder, answers), "hook"], { isGuarded, askLimitMs }),
  );
  const module = await import(pathToFileURL(file).href);
  const prompts: unknown[] = [];
  const session = { prompt: async (prompt: unknown) => void prompts.push(prompt) };
  const hooks: Record<string, Hook> = await module.Adjutant({
    client: { session },
    directory: "/workspace",
  });
  const told = () =>
    existsSync(join(folder, "told"))
      ? readFileSync(join(folder, "told"), "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  const fire = async (hook: string, input: object, output?: object) =>
    hooks[hook]?.({ sessionID: SESSION, ...input }, output);
  const emit = async (type: string, properties: object) =>
    hooks.event?.({ event: { type, properties } });
  return { exported: Object.keys(module), fire, emit, told, prompts };
}

test("it exports one plugin and starts the client with the agent's name", async () => {
  const { exported, fire, told } = await loadPlugin({});
  await fire("tool.execute.before", { tool: "bash", callID: "c" }, { args: { command: "ls" } });
  expect(exported).toEqual(["Adjutant"]);
  expect(told().at(-1)).toEqual({
    words: ["hook", "opencode"],
    payload: {
      event: "tool.execute.before",
      session_id: SESSION,
      cwd: "/workspace",
      tool: "bash",
      call_id: "c",
      args: { command: "ls" },
    },
  });
});

test("where a person may be asked for longer than usual, the program is told how long", async () => {
  const { fire, told } = await loadPlugin({}, undefined, { askLimitMs: 240_000 });
  await fire("tool.execute.before", { tool: "bash", callID: "c" }, { args: {} });
  await fire("tool.execute.after", { tool: "bash", callID: "c", args: {} }, { output: "" });
  const words = told().map(({ words, payload }) => [payload.event, words]);
  expect(words.slice(1)).toEqual([
    ["tool.execute.before", ["hook", "opencode", "--entry=240"]],
    ["tool.execute.after", ["hook", "opencode"]],
  ]);
});

test("a block is thrown, so that the tool does not run and the model reads the reason", async () => {
  const { fire } = await loadPlugin({ "tool.execute.before": { block: "not here" } });
  const run = fire("tool.execute.before", { tool: "bash", callID: "c" }, { args: {} });
  await expect(run).rejects.toThrow(/^not here$/);
});

test("other arguments replace the old ones inside the same object", async () => {
  const { fire } = await loadPlugin({ "tool.execute.before": { args: { command: "pwd" } } });
  const args = { command: "ls", timeout: 5 };
  await fire("tool.execute.before", { tool: "bash", callID: "c" }, { args });
  expect(args).toEqual({ command: "pwd" });
});

test("an output is replaced, and context of before and after stands below it", async () => {
  const { fire } = await loadPlugin({
    "tool.execute.before": { context: ["before"] },
    "tool.execute.after": { output: "other", context: ["after"] },
  });
  await fire("tool.execute.before", { tool: "bash", callID: "c" }, { args: {} });
  const output = { output: "one", title: "t" };
  await fire("tool.execute.after", { tool: "bash", callID: "c", args: {} }, output);
  expect(output.output).toBe("other\n\nbefore\n\nafter");
});

test("the words of the person are replaced, synthetic parts stay, context goes to the system", async () => {
  const { fire } = await loadPlugin({
    "session.start": { context: ["always"] },
    "chat.message": { prompt: "new", context: ["now"] },
  });
  const parts = [
    { type: "text", text: "old" },
    { type: "text", text: "made", synthetic: true },
    { type: "file" },
    { type: "text", text: "more" },
  ];
  await fire("chat.message", {}, { parts });
  expect(parts.map((part) => part.text)).toEqual(["new", "made", undefined, ""]);
  const system = ["first"];
  await fire("experimental.chat.system.transform", {}, { system });
  expect(system).toEqual(["first", "always", "now"]);
});

test("a prompt is refused", async () => {
  const { fire } = await loadPlugin({ "chat.message": { block: "not here" } });
  await expect(fire("chat.message", {}, { parts: [] })).rejects.toThrow(/^not here$/);
});

test("what the session's environment file sets reaches the shells, quotes and all", async () => {
  const { fire } = await loadPlugin({});
  await fire("chat.message", {}, { parts: [] });
  const output = { env: {} };
  await fire("shell.env", {}, output);
  expect(output.env).toEqual({
    PATH: `/shim folder:${process.env.PATH}`,
    ADJ_SESSION_ID: "s 1",
  });
});

test("a turn is carried on with the reason, counted, and not taken for a prompt", async () => {
  const { fire, emit, told, prompts } = await loadPlugin({ "session.idle": { continue: "go on" } });
  await emit("session.created", { info: { id: SESSION } });
  await fire("chat.message", {}, { parts: [{ type: "text", text: "hello" }] });
  await emit("session.idle", { sessionID: SESSION });
  await fire("chat.message", {}, { parts: [{ type: "text", text: "go on" }] });
  await emit("session.idle", { sessionID: SESSION });
  expect(prompts).toHaveLength(2);
  expect(prompts[0]).toEqual({
    path: { id: SESSION },
    body: { parts: [{ type: "text", text: "go on" }] },
  });
  const events = told().map(({ payload }) => [
    payload.event,
    payload.continues_so_far ?? payload.source,
  ]);
  expect(events).toEqual([
    ["session.start", "new"],
    ["chat.message", undefined],
    ["session.idle", 0],
    ["session.idle", 1],
  ]);
});

test("a session of a subagent is nobody's turn", async () => {
  const { emit, told } = await loadPlugin({});
  await emit("session.created", { info: { id: SESSION, parentID: "ses_0" } });
  await emit("session.idle", { sessionID: SESSION });
  expect(told()).toEqual([]);
});

test("permissions are decided and compactions get their context", async () => {
  const { fire } = await loadPlugin({
    "permission.ask": { permission: "deny" },
    "session.compacting": { context: ["keep this"] },
  });
  const permission = { status: "ask" };
  await fire("permission.ask", { type: "bash", metadata: {} }, permission);
  expect(permission.status).toBe("deny");
  const compaction = { context: [] };
  await fire("experimental.session.compacting", {}, compaction);
  expect(compaction.context).toEqual(["keep this"]);
});

test.each(["no JSON", "[1]", "null", ""])(
  "an answer that is none (%j) changes nothing",
  async (text) => {
    const { fire } = await loadPlugin({ "tool.execute.before": text });
    const args = { command: "ls" };
    await fire("tool.execute.before", { tool: "bash", callID: "c" }, { args });
    expect(args).toEqual({ command: "ls" });
  },
);

test("without its client the agent goes its way", async () => {
  const { fire } = await loadPlugin({}, "/nowhere/client");
  const args = { command: "ls" };
  await fire("tool.execute.before", { tool: "bash", callID: "c" }, { args });
  expect(args).toEqual({ command: "ls" });
});

describe("where guards are in force, no answer is a refusal", () => {
  const NO_ANSWER = /gave no answer, and guards are in force here, so it did not run/;
  const DENY = "guard\topencode\ttool.execute.before\t";
  const call = { tool: "bash", callID: "c" };

  test.each(["no JSON", "[1]", "null", ""])("an answer that is none: %j", async (text) => {
    const { fire } = await loadPlugin({ "tool.execute.before": text }, undefined, {
      isGuarded: true,
    });
    await expect(fire("tool.execute.before", call, { args: {} })).rejects.toThrow(NO_ANSWER);
  });

  test("a client that is not there, and one that fails", async () => {
    for (const client of ["/nowhere/client", "/bin/false"]) {
      const { fire } = await loadPlugin({}, client, { isGuarded: true });
      await expect(fire("tool.execute.before", call, { args: {} })).rejects.toThrow(NO_ANSWER);
      // What stops nothing is not stopped for a fault either.
      await fire("chat.message", {}, { parts: [] });
    }
  });

  test.each([
    ["everywhere", "*", true],
    ["in this project", "/workspace", true],
    ["in another project", "/work", false],
  ])("as the file beside the client says: %s", async (_, root, isRefused) => {
    const folder = temporaryFolder();
    const config = join(homedir(), ".config", "adjutant");
    writeFileSync(join(folder, "guards"), `adjutant\t1\t0\n${DENY}${config}\t${root}\n`);
    const { fire } = await loadPlugin({}, join(folder, "adj-hook"));
    const ran = fire("tool.execute.before", call, { args: {} });
    if (isRefused) await expect(ran).rejects.toThrow(NO_ANSWER);
    else await ran;
  });
});
