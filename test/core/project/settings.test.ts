import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/core/command/fault.ts";
import { describeFile } from "../../../src/core/load/file-schema.ts";
import { mergeSettings } from "../../../src/core/project/settings.ts";
import {
  editSettings,
  parseSettings,
  SETTINGS_SCHEMA,
} from "../../../src/core/project/settings-file.ts";
import { faultOf } from "../../support/faults.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const USER = { file: "config.yaml", scope: "user" } as const;
const PROJECT = { file: "config.yaml", scope: "project" } as const;

describe("reading", () => {
  test("the project's word counts over the user's, maps are merged, the rest has a default", () => {
    const user = parseSettings(
      "adjutant: 1\nagent: codex\nmodel: small\nplugins: [adjutant-git, '@team/adj']\nparams: { a: 1, b: [x] }\ncommands: { claude: { model: opus, verbose: false }, codex: { oss: true } }\nimport_hosts: [docs.example.com]\ninbox: { hold: 5m }\n",
      USER,
    );
    const project = parseSettings(
      "agent: claude-code\nrequires_plugins: [adjutant-git]\nparams: { a: 2 }\nagents: { codex: { path: ~/bin/codex } }\nmode: auto\ncommands: { claude: { verbose: true } }\n",
      PROJECT,
    );
    expect(mergeSettings(user, project)).toEqual({
      agent: "claude-code",
      model: "small",
      params: { a: 2, b: ["x"] },
      plugins: ["adjutant-git", "@team/adj"],
      requiresPlugins: ["adjutant-git"],
      prefix: "adj-",
      agents: { codex: { path: "~/bin/codex" } },
      mode: "auto",
      allow: [],
      inbox: { hold: "5m" },
      commands: { claude: { model: "opus", verbose: true }, codex: { oss: true } },
      importHosts: ["docs.example.com"],
    });
  });

  test.each(["", "# nothing yet\n"])(
    "a file that is empty or all comments says nothing: %j",
    (text) => {
      const settings = parseSettings(text, USER);
      expect(settings).toEqual({});
      expect(mergeSettings(settings, {})).toMatchObject({
        agent: null,
        prefix: "adj-",
        mode: "ask",
      });
    },
  );

  test.each([
    ["modle: opus", "config.yaml:1:1: unknown key `modle`; did you mean `model` or `mode`?"],
    ["agent: x\nmode: maybe", "config.yaml:2:7: `mode` must be one of `ask`, `allowlist`, `auto`"],
    ["agent: 3", "config.yaml:1:8: `agent` must be text"],
    ["inbox: { hold: 5 }", "config.yaml:1:16: `hold` must be a duration such as `30s` or `5m`"],
    ["agent: ''", "config.yaml:1:8: `agent` is empty"],
    ["agent:", "config.yaml:1:7: `agent` must be text"],
    ["adjutant: 2", "config.yaml:1:11: `adjutant` must be `1`"],
    ["agents:\n  codex: { pth: /x }", "config.yaml:2:12: unknown key `pth`; did you mean `path`?"],
    [
      "agents:\n  codex: { path: bin/codex }",
      "config.yaml:2:18: `path` must be an absolute path, begin with `~/`, or be a bare program name",
    ],
    ["agents: { codex: {} }", "config.yaml:1:18: `path` is missing"],
    [
      "plugins: [a, ../evil]",
      "config.yaml:1:14: entry 2 of `plugins` is not the name of an npm package",
    ],
    ["params: { constructor: 1 }", "config.yaml:1:11: `constructor` is not a name for a parameter"],
    ["params: { __proto__: 1 }", "config.yaml:1:11: the key `__proto__` is not allowed"],
    ["agent: a\nmodel: b\nagent: c", "config.yaml:3:1: the key `agent` is there twice"],
    ["- agent", "config.yaml:1:1: the file must be a map"],
    ["requires_plugins: [a]", "config.yaml:1:1: `requires_plugins` belongs to a project"],
    ["a: 1\n---\nb: 2", "config.yaml:2:1: more than one YAML document"],
    ["params: &p\n  a: *p", "config.yaml: not YAML: an alias refers to itself"],
    [
      "agent: !!js/function x",
      "config.yaml:1:8: not YAML: unresolved tag: tag:yaml.org,2002:js/function",
    ],
  ])("%j is refused at its place", async (text, message) => {
    const raised = await faultOf(() => parseSettings(text, USER));
    expect(raised).toMatchObject({ class: "Config", code: "FileInvalid", message });
  });

  const WORDS = { "claude-code": "claude-code", claude: "claude-code", codex: "codex" };

  test.each([
    ["agent: claud", "config.yaml:1:8: unknown agent `claud`; did you mean `claude-code`?"],
    [
      "agents: { cdex: { path: x } }",
      "config.yaml:1:11: unknown agent `cdex`; did you mean `codex`?",
    ],
    ["agent: constructor", "config.yaml:1:8: unknown agent `constructor`"],
  ])("%j names no agent that there is", async (text, message) => {
    const raised = await faultOf(() => parseSettings(text, { ...USER, agentWords: WORDS }));
    expect(raised).toMatchObject({ code: "AgentUnknown", exitCode: 2, message });
  });

  test("an agent may be called by an alias, also where its program is named", () => {
    const text = "agent: claude\nagents: { claude: { path: /opt/claude } }";
    expect(parseSettings(text, { ...USER, agentWords: WORDS })).toEqual({
      agent: "claude",
      agents: { "claude-code": { path: "/opt/claude" } },
    });
  });

  test("a wrong agent can be mended by setting another, and none is set that there is not", async () => {
    const file = join(temporaryFolder(), "config.yaml");
    writeFileSync(file, "agent: claud # mine\n");
    const source = { file, scope: "user", agentWords: WORDS } as const;
    const raised = await faultOf(() => editSettings(source, ["agent"], "cladue"));
    expect(raised.code).toBe("AgentUnknown");
    editSettings(source, ["agent"], "codex");
    expect(readFileSync(file, "utf8")).toBe("agent: codex # mine\n");
  });

  // biome-ignore format: a table, one case a line
  test.each<[string, string, string, string]>([
    ["", "mode", "yolo", "`mode: yolo`: `mode` must be one of `ask`, `allowlist`, `auto`"],
    ["# mine\nmode: ask\n", "model", "", '`model: ""`: `model` is empty'],
    ["mode: ask\n", "agent", "cladue", "`agent: cladue`: unknown agent `cladue`"],
    ["agent: claud\n", "agent", "cladue", "`agent: cladue`: unknown agent `cladue`"],
    ["agent: claud\n", "mode", "ask", "config.yaml:1:8: unknown agent `claud`"],
  ])("%j: what is refused for `%s` is named by its value, what stands in the file by its place", async (text, key, value, said) => {
    const file = join(temporaryFolder(), "config.yaml");
    if (text !== "") writeFileSync(file, text);
    const source = { file, scope: "user", agentWords: WORDS } as const;
    const { message, exitCode } = await faultOf(() => editSettings(source, [key], value));
    expect({ said: message.replace(`${dirname(file)}/`, "").slice(0, said.length), exitCode }).toEqual({ said, exitCode: 2 });
    expect(existsSync(file)).toBe(text !== "");
  });

  test("a project cannot set how long its questions wait", () => {
    const parse = () =>
      parseSettings("inbox: { hold: 5m }", { file: "config.yaml", scope: "project" });
    expect(parse).toThrow("config.yaml:1:1: a project cannot set `inbox`");
  });

  test("a project cannot enable plugins and is told the right key", async () => {
    const source = { file: ".adjutant/config.yaml", scope: "project" } as const;
    const raised = await faultOf(() => parseSettings("agent: a\nplugins: [b]\n", source));
    expect(raised.message).toBe(".adjutant/config.yaml:2:1: a project cannot enable `plugins`");
    expect(raised.hint).toContain("`requires_plugins`");
  });

  test("an alias bomb is refused before it is expanded", async () => {
    const levels = [..."bcdefghij"].map(
      (name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[at]}`).join(", ")}]`,
    );
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]", ...levels].join("\n");
    const raised = await faultOf(() => parseSettings(bomb, USER));
    expect(raised.message).toContain("excessive alias count");
  });

  test("any text is either settings or one fault with the file's name", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom("agent: x", "params: {a: [1]}", "? [a]", "&a *a", "mode: ask", "\t- x", "{"),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        try {
          parseSettings(lines.join("\n"), USER);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
          expect(String(error)).toMatch(/^Fault: config\.yaml(:\d+:\d+)?: /);
        }
      }),
    );
  });
});

describe("the published schema", () => {
  test("lists every key and allows no other", () => {
    const schema = describeFile(SETTINGS_SCHEMA);
    expect(schema.additionalProperties).toBe(false);
    expect(Object.keys(schema.properties ?? {})).toEqual([
      "adjutant",
      "agent",
      "model",
      "params",
      "plugins",
      "requires_plugins",
      "prefix",
      "agents",
      "mode",
      "allow",
      "inbox",
      "commands",
      "import_hosts",
    ]);
  });
});

describe("editing", () => {
  const TEXT =
    "# mine\nadjutant: 1\n\nmodel: small   # cheap\nparams:\n  # how wild\n  temperature: 0.2\nagent: codex\n";

  test.each([
    ["a value in place", ["model"], "large", TEXT.replace("small", "large")],
    ["a value inside a map", ["params", "temperature"], 0.9, TEXT.replace("0.2", "0.9")],
    ["a new key at the end", ["prefix"], "x-", `${TEXT}prefix: x-\n`],
    ["a key taken away", ["agent"], undefined, TEXT.replace("agent: codex\n", "")],
  ])("%s leaves comments and order alone", (_, path, value, expected) => {
    const folder = temporaryFolder();
    writeFiles(folder, { "config.yaml": TEXT });
    const file = join(folder, "config.yaml");
    editSettings({ file, scope: "user" }, path, value);
    expect(readFileSync(file, "utf8").replaceAll(/ +#/g, " #")).toBe(
      expected.replaceAll(/ +#/g, " #"),
    );
    expect(readdirSync(folder)).toEqual(["config.yaml"]);
  });

  test("a file that is not there yet is made, with its folder", () => {
    const file = join(temporaryFolder(), "new/config.yaml");
    editSettings({ file, scope: "user" }, ["params", "top.p"], 1);
    expect(readFileSync(file, "utf8")).toBe("params:\n  top.p: 1\n");
  });

  test("a comment alone in the file stays", () => {
    const folder = temporaryFolder();
    writeFiles(folder, { "config.yaml": "# mine\n" });
    editSettings({ file: join(folder, "config.yaml"), scope: "user" }, ["agent"], "codex");
    expect(readFileSync(join(folder, "config.yaml"), "utf8")).toBe("# mine\n\nagent: codex\n");
  });

  test("settings kept behind a link stay there", () => {
    const folder = temporaryFolder();
    writeFiles(folder, { "dotfiles/adj.yaml": "agent: codex\n" });
    const file = join(folder, "config.yaml");
    symlinkSync("dotfiles/adj.yaml", file);
    editSettings({ file, scope: "user" }, ["agent"], "gemini");
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "dotfiles/adj.yaml"), "utf8")).toBe("agent: gemini\n");
  });

  test.each([
    ["a value of the wrong kind", ["mode"], "maybe", "`mode` must be one of"],
    ["an unknown key", ["modle"], "x", "unknown key `modle`"],
    ["a step below a single value", ["model", "name"], "x", "`model`: it is a single value"],
  ])("%s is refused and nothing is written", async (_, path, value, message) => {
    const folder = temporaryFolder();
    writeFiles(folder, { "config.yaml": TEXT });
    const file = join(folder, "config.yaml");
    const raised = await faultOf(() => editSettings({ file, scope: "user" }, path, value));
    expect(raised.message).toContain(message);
    expect(readFileSync(file, "utf8")).toBe(TEXT);
  });
});
