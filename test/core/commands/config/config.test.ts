import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  linesOf,
  openTestProgram,
  type TestProgram,
  textOf,
} from "../../../support/program-of-commands.ts";

const userFile = ({ configDir }: TestProgram) => join(configDir, "config.yaml");
const projectFile = ({ root }: TestProgram) => join(root, ".adjutant", "config.yaml");

test("shows what counts, the project over the user, in the words of the file", async () => {
  const opened = openTestProgram();
  mkdirSync(join(opened.root, ".adjutant"));
  writeFileSync(userFile(opened), "model: opus\nagent: codex\nparams: { a: 1 }\n");
  writeFileSync(projectFile(opened), "model: sonnet\nrequires_plugins: [acme]\n");
  expect(linesOf(await opened.run(["config"]))).toEqual([
    "agent: codex",
    "model: sonnet",
    'params: {"a":1}',
    'requires_plugins: ["acme"]',
    "prefix: adj-",
    "mode: ask",
  ]);
});

describe("get", () => {
  test.each([
    ["model", "opus"],
    ["params", '{"a.b":0.5}'],
    ["params.a.b", "0.5"],
    ["agents.codex.path", "/opt/codex"],
    ["plugins", '["acme"]'],
  ])("`%s` gives %s", async (key, text) => {
    const opened = openTestProgram();
    writeFileSync(
      userFile(opened),
      "model: opus\nparams: { a.b: 0.5 }\nagents: { codex: { path: /opt/codex } }\nplugins: [acme]\n",
    );
    expect(textOf(await opened.run(["config", "get", key]))).toBe(text);
  });

  test("of what is not set fails and prints nothing", async () => {
    const outcome = await openTestProgram().run(["config", "get", "model"]);
    expect(outcome).toMatchObject({ kind: "failed", result: { exitCode: 1, output: "" } });
  });
});

describe("set", () => {
  test.each([
    [["model", "5"], 'model: "5"\n'],
    [["params.a.b", "0.5"], "params:\n  a.b: 0.5\n"],
    [["params.note", "text"], "params:\n  note: text\n"],
    [["plugins", '["acme"]'], "plugins:\n  - acme\n"],
    [["agents.codex.path", "/opt/codex"], "agents:\n  codex:\n    path: /opt/codex\n"],
  ])("%j writes %j", async (words, text) => {
    const opened = openTestProgram();
    expect((await opened.run(["config", "set", ...words])).kind).toBe("ok");
    expect(readFileSync(userFile(opened), "utf8")).toBe(text);
  });

  test("--project writes the project's file and says that it has to be trusted", async () => {
    const opened = openTestProgram();
    const outcome = await opened.run(["config", "set", "model", "opus", "--project"]);
    expect(textOf(outcome)).toContain("it counts after `adj trust`");
    expect(readFileSync(projectFile(opened), "utf8")).toBe("model: opus\n");
    expect(statSync(projectFile(opened)).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(existsSync(userFile(opened))).toBe(false);
  });

  test("unset removes, comments stay", async () => {
    const opened = openTestProgram();
    writeFileSync(userFile(opened), "# mine\n\nagent: codex # why\nmodel: opus\n");
    await opened.run(["config", "unset", "model"]);
    expect(readFileSync(userFile(opened), "utf8")).toBe("# mine\n\nagent: codex # why\n");
  });

  test("unset of what is not set says so and writes nothing", async () => {
    const opened = openTestProgram();
    const unset = async (key: string) => textOf(await opened.run(["config", "unset", key]));
    expect(await unset("model")).toBe(`model is not set in ${userFile(opened)}`);
    expect(existsSync(userFile(opened))).toBe(false);
    writeFileSync(userFile(opened), "agent:   codex\n");
    expect(await unset("agents.codex.path")).toBe(
      `agents.codex.path is not set in ${userFile(opened)}`,
    );
    expect(readFileSync(userFile(opened), "utf8")).toBe("agent:   codex\n");
  });

  test.each([
    [["set", "modle", "x"], "InputInvalid"],
    [["set", "mode", "sometimes"], "FileInvalid"],
    [["set", "plugins", '["acme"]', "--project"], "FileInvalid"],
    [["set", "params.api.key", "short"], "ArgumentsInvalid"],
    [["set", "params.__proto__", "1"], "FileInvalid"],
    [["set", "model"], "ArgumentsInvalid"],
    [["get"], "ArgumentsInvalid"],
    [["get", "model", "x"], "ArgumentsInvalid"],
    [["get", "params..a"], "InputInvalid"],
    [["path", "x"], "ArgumentsInvalid"],
    [["drop", "x"], "ArgumentsInvalid"],
  ])("%j is refused and nothing is written", async (words, code) => {
    const opened = openTestProgram();
    const outcome = await opened.run(["config", ...words]);
    expect(outcome).toMatchObject({ kind: "rejected", error: { code } });
    expect(existsSync(userFile(opened))).toBe(false);
    expect(existsSync(projectFile(opened))).toBe(false);
  });
});

describe("below an agent", () => {
  const env = { CLAUDECODE: "1" };
  test.each(["mode auto", "plugins []", "agents.codex.path /tmp/x", "model opus"])(
    "`config set %s` is refused: settings are a person's",
    async (words) => {
      const opened = openTestProgram();
      const outcome = await opened.run(["config", "set", ...words.split(" ")], { env });
      expect(outcome).toMatchObject({ kind: "rejected", error: { code: "Required" } });
      expect(existsSync(userFile(opened))).toBe(false);
    },
  );

  test("settings can be read", async () => {
    expect((await openTestProgram().run(["config", "path"], { env })).kind).toBe("ok");
  });
});

test("path names both files, schema prints the published schema", async () => {
  const opened = openTestProgram();
  expect((await opened.run(["config", "path"])).result.metadata).toEqual({
    user: userFile(opened),
    project: projectFile(opened),
  });
  const schema = JSON.parse(textOf(await opened.run(["config", "schema"])));
  expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  expect(Object.keys(schema.properties)).toContain("requires_plugins");
});
