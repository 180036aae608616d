import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Desk, linesOf, openDesk, textOf } from "../../../support/program-of-commands.ts";

const userFile = ({ configDir }: Desk) => join(configDir, "config.yaml");
const projectFile = ({ root }: Desk) => join(root, ".adjutant", "config.yaml");

test("shows what counts, the project over the user, in the words of the file", async () => {
  const desk = openDesk();
  mkdirSync(join(desk.root, ".adjutant"));
  writeFileSync(userFile(desk), "model: opus\nagent: codex\nparams: { a: 1 }\n");
  writeFileSync(projectFile(desk), "model: sonnet\nrequires_plugins: [acme]\n");
  expect(linesOf(await desk.run(["config"]))).toEqual([
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
    const desk = openDesk();
    writeFileSync(
      userFile(desk),
      "model: opus\nparams: { a.b: 0.5 }\nagents: { codex: { path: /opt/codex } }\nplugins: [acme]\n",
    );
    expect(textOf(await desk.run(["config", "get", key]))).toBe(text);
  });

  test("of what is not set fails and prints nothing", async () => {
    const outcome = await openDesk().run(["config", "get", "model"]);
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
    const desk = openDesk();
    expect((await desk.run(["config", "set", ...words])).kind).toBe("ok");
    expect(readFileSync(userFile(desk), "utf8")).toBe(text);
  });

  test("--project writes the project's file and says that it has to be trusted", async () => {
    const desk = openDesk();
    const outcome = await desk.run(["config", "set", "model", "opus", "--project"]);
    expect(textOf(outcome)).toContain("it counts after `adj trust`");
    expect(readFileSync(projectFile(desk), "utf8")).toBe("model: opus\n");
    expect(existsSync(userFile(desk))).toBe(false);
  });

  test("unset removes, comments stay", async () => {
    const desk = openDesk();
    writeFileSync(userFile(desk), "# mine\n\nagent: codex # why\nmodel: opus\n");
    await desk.run(["config", "unset", "model"]);
    expect(readFileSync(userFile(desk), "utf8")).toBe("# mine\n\nagent: codex # why\n");
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
    const desk = openDesk();
    const outcome = await desk.run(["config", ...words]);
    expect(outcome).toMatchObject({ kind: "rejected", error: { code } });
    expect(existsSync(userFile(desk))).toBe(false);
    expect(existsSync(projectFile(desk))).toBe(false);
  });
});

describe("below an agent", () => {
  const env = { CLAUDECODE: "1" };
  test.each(["mode auto", "plugins []", "agents.codex.path /tmp/x", "model opus"])(
    "`config set %s` is refused: settings are a person's",
    async (words) => {
      const desk = openDesk();
      const outcome = await desk.run(["config", "set", ...words.split(" ")], { env });
      expect(outcome).toMatchObject({ kind: "rejected", error: { code: "Required" } });
      expect(existsSync(userFile(desk))).toBe(false);
    },
  );

  test("settings can be read", async () => {
    expect((await openDesk().run(["config", "path"], { env })).kind).toBe("ok");
  });
});

test("path names both files, schema prints the published schema", async () => {
  const desk = openDesk();
  expect((await desk.run(["config", "path"])).result.metadata).toEqual({
    user: userFile(desk),
    project: projectFile(desk),
  });
  const schema = JSON.parse(textOf(await desk.run(["config", "schema"])));
  expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  expect(Object.keys(schema.properties)).toContain("requires_plugins");
});
