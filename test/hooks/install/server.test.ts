import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { loadMcpInstallers } from "../../../src/agents/roster.ts";
import type { InstallScope, McpInstaller } from "../../../src/agents/steps/installer.ts";
import { installHooks, uninstallHooks } from "../../../src/hooks/install/change.ts";
import {
  installServer,
  lookAtServer,
  uninstallServer,
} from "../../../src/hooks/install/change-server.ts";
import { installerOf } from "../../support/agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { requestFor } from "./installing.ts";

const SERVERS = await loadMcpInstallers();
const WORDS = ["/opt/adj/bin/adj", "mcp"] as const;

const serverOf = (agent: string): McpInstaller => {
  const found = SERVERS.find((one) => one.agent === agent);
  if (found === undefined) throw new Error(`no servers of ${agent}`);
  return found;
};

function openFile(installer: McpInstaller, scope: InstallScope = "user") {
  const folder = temporaryFolder();
  const target = { env: {}, home: join(folder, "home"), root: join(folder, "project") };
  const stateDir = join(folder, "state");
  for (const made of [target.home, target.root, stateDir]) mkdirSync(made);
  const [file] = installer.configFiles(scope, target);
  const request = { scope, target, stateDir };
  const hooks = { ...request, client: ["adj", "hook"] };
  const own = installerOf(installer.agent);
  return {
    ...{ file, target },
    write: (text: string) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    text: () => (existsSync(file) ? readFileSync(file, "utf8") : null),
    install: (isDryRun = false) => installServer(installer, WORDS, { ...request, isDryRun }),
    uninstall: () => uninstallServer(installer, request),
    installHooks: () => installHooks(own, requestFor(installer.agent), hooks),
    uninstallHooks: () => uninstallHooks(own, hooks),
    words: () => lookAtServer(installer, scope, target).words,
  };
}

const jsonFiles = (key: string): readonly string[] => [
  "{}\n",
  '{"a":1}',
  `{\n\t"${key}": {}\n}\n`,
  `{\n    "${key}": {\n        "other": { "command": "x" }\n    },\n    "a": [1, 2]\n}\n`,
  `{\r\n  "a": "\\u00e4 你好",\r\n  "${key}": { "other": { "command": "x", "args": [] } }\r\n}\r\n`,
];

const TOML_FILES: readonly string[] = [
  "# mine\n",
  'model = "x"',
  '[mcp_servers.other]\ncommand = "x"\n\n# of b\n[b]\nc = 1979-05-27T07:32:00Z\n',
  '[mcp_servers]\n[projects."/a.b"]\ntrust_level = "trusted"\r\n',
  'text = """\n[mcp_servers.adjutant]\n"""\n',
];

const CASES = SERVERS.flatMap((installer) =>
  (installer.syntax === "toml" ? TOML_FILES : jsonFiles(installer.key)).map((text) => ({
    ...{ agent: installer.agent, installer, text },
  })),
);

describe.each(CASES)("$agent with $text", ({ installer, text }) => {
  test("gets our server beside what is there, and back come the very bytes", async () => {
    const file = openFile(installer);
    file.write(text);
    expect((await file.install(true)).did).toBe("changed");
    expect(file.text()).toBe(text);
    expect((await file.install()).did).toBe("changed");
    expect(file.words()).toEqual(WORDS);
    const read: (written: string) => unknown =
      installer.syntax === "toml" ? parseToml : (written) => parseJson(written);
    const servers = Object(Object(read(file.text() ?? ""))[installer.key]);
    const before = Object(Object(read(text))[installer.key]);
    expect(servers).toMatchObject({ ...before, adjutant: installer.makeEntry(WORDS) });
    expect((await file.install()).did).toBe("nothing");
    expect((await file.uninstall()).did).toBe("changed");
    expect(file.text()).toBe(text);
    expect((await file.uninstall()).did).toBe("nothing");
  });
});

describe.each(SERVERS.map((installer) => ({ agent: installer.agent, installer })))(
  "$agent",
  ({ installer }) => {
    test.each(["user", "project"] as const)(
      "has no file again that it had not (%s)",
      async (at) => {
        const file = openFile(installer, at);
        expect((await file.install()).did).toBe("created");
        expect(file.text()?.endsWith("\n")).toBe(true);
        expect(statSync(file.file).mode & 0o077).toBe(at === "user" ? 0 : 0o044);
        expect((await file.uninstall()).did).toBe("removed");
        expect(file.text()).toBeNull();
      },
    );

    test("keeps what others wrote after us, and loses our entry alone", async () => {
      const file = openFile(installer);
      await file.install();
      const added =
        installer.syntax === "toml"
          ? `${file.text()}\n[mcp_servers.adjutant.tools.hello]\napproval_mode = "approve"\n\n# kept\n[later]\na = 1\n`
          : (file.text() ?? "").replace("{", '{ "later": { "a": 1 }, ');
      file.write(added);
      expect((await file.uninstall()).did).toBe("changed");
      expect(file.words()).toBeNull();
      expect(file.text()).toContain("later");
      expect(file.text()).not.toContain("adjutant");
      if (installer.syntax === "toml") expect(file.text()).toContain("# kept\n[later]");
    });

    test("keeps a server of that name that is not ours", async () => {
      const file = openFile(installer);
      const own =
        installer.syntax === "toml"
          ? '[mcp_servers.adjutant]\ncommand = "theirs"\n'
          : JSON.stringify({ [installer.key]: { adjutant: { command: "theirs" } } });
      file.write(own);
      await expect(file.install()).rejects.toThrow("is not ours");
      expect((await file.uninstall()).did).toBe("nothing");
      expect(file.text()).toBe(own);
    });

    test("stands beside the hooks, whoever comes and goes first", async () => {
      for (const isHooksFirst of [true, false]) {
        const file = openFile(installer);
        const text = installer.syntax === "toml" ? "# mine\n" : '{ "mine": 1 }\n';
        file.write(text);
        await (isHooksFirst ? file.installHooks() : file.install());
        await (isHooksFirst ? file.install() : file.installHooks());
        expect((await file.installHooks()).did).toBe("nothing");
        expect((await file.install()).did).toBe("nothing");
        await (isHooksFirst ? file.uninstallHooks() : file.uninstall());
        await (isHooksFirst ? file.uninstall() : file.uninstallHooks());
        expect(file.text()).toBe(text);
      }
    });
  },
);

test("a link in a project is not followed, and what cannot be read stays", async () => {
  const file = openFile(serverOf("claude-code"), "project");
  symlinkSync("/etc/passwd", file.file);
  await expect(file.install()).rejects.toThrow("link");
  for (const [agent, text] of [
    ["codex", "a = = 1\n"],
    ["codex", "mcp_servers = { other = { command = 'x' } }\n"],
    ["copilot", "{ // no\n}"],
    ["opencode", '{ "mcp": [] }'],
    ["gemini", '{ "mcpServers": {}, "mcpServers": {} }'],
  ] as const) {
    const broken = openFile(serverOf(agent));
    broken.write(text);
    await expect(broken.install(), text).rejects.toThrow();
    expect(broken.text()).toBe(text);
  }
});

test("opencode's other file is taken where that is the one that is there", async () => {
  const file = openFile(serverOf("opencode"));
  const other = `${file.file}c`;
  mkdirSync(dirname(other), { recursive: true });
  writeFileSync(other, "// mine\n{}\n");
  await file.install();
  expect(file.text()).toBeNull();
  expect(readFileSync(other, "utf8")).toMatch(/^\/\/ mine\n\{\n.*"mcp"/s);
  await file.uninstall();
  expect(readFileSync(other, "utf8")).toBe("// mine\n{}\n");
});
