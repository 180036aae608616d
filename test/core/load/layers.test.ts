import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listNames } from "../../../src/core/command/registry.ts";
import { loadLayers, reloadLayers } from "../../../src/core/load/layers.ts";
import { projectMentionsName } from "../../../src/core/load/unknown-name.ts";
import { fileKinds } from "../../../src/features.ts";
import { faultOf } from "../../support/faults.ts";
import { makeFifo, writeFiles } from "../../support/temporary-folder.ts";
import { sampled } from "../../support/tier.ts";
import { makeWorld, meaningOf, say } from "./world.ts";

describe("which definition counts", () => {
  test("a higher layer shadows a lower one, by name and by alias", async () => {
    const world = makeWorld();
    world.user({ "commands/hello.ts": say("user hello"), "commands/x.js": say("user x") });
    world.project({ ".adjutant/commands/x.mjs": say("project x", "aliases: ['hello'],") });
    await world.trust();
    const loaded = await world.load();
    expect(meaningOf(loaded, "x")).toBe("project: project x; hides user");
    expect(meaningOf(loaded, "hello")).toBe("project: project x; hides user, bundled");
    expect(loaded.layers.map(({ name }) => name)).toEqual(["bundled", "user", "project"]);
    expect(loaded.warnings).toEqual([]);
  });

  test("a file that is nearly called right is not read, and that is said", async () => {
    const world = makeWorld();
    world.user({
      "commands.yml": "x: { description: d, argv: [a] }\n",
      "hooks.yml": "hooks: []\n",
    });
    const loaded = await world.load();
    expect(meaningOf(loaded, "x")).toBe("unknown");
    expect(
      loaded.warnings.map(({ message, hint }) => [message.replace(/^.*\//, ""), hint]),
    ).toEqual([
      ["commands.yml: it is not read: the file is called `commands.yaml`", "rename it"],
      ["hooks.yml: it is not read: the file is called `hooks.yaml`", "rename it"],
    ]);
  });

  test("a layer can disable what it inherits", async () => {
    const world = makeWorld();
    world.user({ "commands.yaml": "hello: { disable: true }\n" });
    const loaded = await world.load();
    expect(meaningOf(loaded, "hello")).toBe("unknown");
    expect(meaningOf(loaded, "hi")).toBe("unknown");
  });

  test.each(
    sampled([
      ["two files", { "commands/x.ts": say("1"), "commands/x.js": say("2") }, ["x.js", "x.ts"]],
      [
        "a file and an entry",
        { "commands/x.ts": say("1"), "commands.yaml": "x: { description: d, argv: [a] }" },
        ["x.ts", "commands.yaml"],
      ],
      [
        "a name and an alias",
        { "commands/x.ts": say("1"), "commands/y.ts": say("2", "aliases: ['x'],") },
        ["x.ts", "y.ts"],
      ],
      [
        "two aliases",
        {
          "commands/a.ts": say("1", "aliases: ['x'],"),
          "commands.yaml": "b: { description: d, argv: [a], aliases: [x] }",
        },
        ["a.ts", "commands.yaml"],
      ],
    ]),
  )("%s for one name are both refused, others are not affected", async (_, files, names) => {
    const world = makeWorld();
    world.user({ ...files, "commands/other.ts": say("other") });
    const loaded = await world.load();
    const meaning = meaningOf(loaded, "x");
    expect(meaning).toMatch(/^broken: `x` is defined more than once: /);
    expect(meaning).toContain(world.paths.configDir);
    for (const name of names) expect(meaning).toContain(`/${name}`);
    expect(meaningOf(loaded, "other")).toBe("user: other");
  });

  test("a broken override falls back to the layer below and says why", async () => {
    const world = makeWorld();
    world.user({ "commands/hello.ts": "export default { description: 'no run' };\n" });
    const file = join(world.paths.configDir, "commands/hello.ts");
    expect(meaningOf(await world.load(), "hello")).toBe(
      `bundled: bundled hello; passes over ${file}: \`run\` must be a function`,
    );
  });

  test("a broken command with nothing below exists, broken", async () => {
    const world = makeWorld();
    world.user({ "commands.yaml": "x: { description: d }\ny: { description: d, argv: [a] }\n" });
    const loaded = await world.load();
    expect(meaningOf(loaded, "x")).toBe(
      `broken: ${world.paths.configDir}/commands.yaml:1:1: it starts nothing: give \`argv\`, or \`shell\` with \`command\``,
    );
    expect(meaningOf(loaded, "y")).toBe("user: d");
  });

  test.each(
    sampled([
      ["commands/trust.ts", say("mine"), "trust", "belongs to the program and cannot be defined"],
      [
        "commands.yaml",
        "run: { disable: true }",
        "run",
        "belongs to the program and cannot be defined",
      ],
      [
        "commands/x.ts",
        say("x", "aliases: ['hook'],"),
        "x",
        "entry 1 of `aliases` belongs to the program",
      ],
      ["commands/Deploy.ts", say("x"), "Deploy", "is not a command name"],
      ["commands/a_b.ts", say("x"), "a_b", "is not a command name"],
      ["commands/__proto__.ts", say("x"), "__proto__", "is not a command name"],
    ]),
  )("%s cannot take a name that is not free", async (path, content, name, problem) => {
    const world = makeWorld();
    world.user({ [path]: content });
    const meaning = meaningOf(await world.load(), name);
    expect(meaning).toContain(`broken: ${join(world.paths.configDir, path)}`);
    expect(meaning).toContain(problem);
  });

  test("what is no command file is ignored", async () => {
    const world = makeWorld();
    world.user({
      "commands/.hidden.ts": "!",
      "commands/notes.txt": "!",
      "commands/types.d.ts": "!",
      "commands/README.md": "!",
      "commands/lib/helper.ts": "!",
      "commands/folder.ts/x": "!",
    });
    const loaded = await world.load();
    expect(listNames(loaded.layers)).toEqual(["hello"]);
    expect(loaded.warnings).toEqual([]);
  });
});

describe("a project", () => {
  test("that is not trusted has no layer, and its names are known without loading it", async () => {
    const world = makeWorld();
    world.project({
      ".adjutant/commands/x.ts": "process.exit(3)",
      ".adjutant/commands.yaml": "y: { description: d, argv: [a] }\n",
    });
    const loaded = await world.load("x");
    expect(loaded.project).toEqual({ root: world.root, trust: { kind: "untrusted" } });
    expect(meaningOf(loaded, "x")).toBe("unknown");
    expect(
      ["x", "y", "z", "Y", "commands"].map((name) =>
        projectMentionsName(world.root, name, fileKinds(null)),
      ),
    ).toEqual([true, true, false, false, false]);
  });

  test("that changed runs as it was trusted, until it is trusted again", async () => {
    const world = makeWorld();
    world.project({
      ".adjutant/commands/x.js": say("trusted"),
      ".adjutant/config.yaml": "model: a\n",
    });
    await world.trust();
    await world.load();
    world.project({
      ".adjutant/commands/x.js": say("edited"),
      ".adjutant/commands/new.js": say("new"),
      ".adjutant/config.yaml": "model: b\n",
      ".adjutant/commands.yaml": "hello: { disable: true }\n",
    });
    const changed = await world.load();
    expect(changed.project.trust.kind).toBe("changed");
    expect(meaningOf(changed, "x")).toBe("project: trusted");
    expect(meaningOf(changed, "new")).toBe("unknown");
    expect(meaningOf(changed, "hello")).toBe("bundled: bundled hello");
    expect(changed.settings.model).toBe("a");
    await world.trust();
    const again = await world.load();
    expect(meaningOf(again, "x")).toBe("project: edited");
    expect(meaningOf(again, "hello")).toBe("unknown");
    expect(again.settings.model).toBe("b");
  });

  test("that goes back to a trusted state is in that state without being asked", async () => {
    const world = makeWorld();
    const main = { ".adjutant/commands/x.js": say("main") };
    world.project(main);
    await world.trust();
    world.project({ ".adjutant/commands/x.js": say("branch") });
    await world.trust();
    expect(meaningOf(await world.load(), "x")).toBe("project: branch");
    world.project(main);
    const back = await world.load();
    expect(back.project.trust.kind).toBe("trusted");
    expect(meaningOf(back, "x")).toBe("project: main");
  });

  test("whose folder was removed has no layer", async () => {
    const world = makeWorld();
    world.project({ ".adjutant/commands/x.js": say("x") });
    await world.trust();
    rmSync(join(world.root, ".adjutant"), { recursive: true });
    const loaded = await world.load();
    expect(loaded.project.trust).toEqual({ kind: "none" });
    expect(meaningOf(loaded, "x")).toBe("unknown");
  });

  test("is the one an agent was started in, wherever it went", async () => {
    const world = makeWorld();
    world.project({ ".adjutant/commands/x.js": say("x") });
    await world.trust();
    const loaded = await loadLayers(world.request({ cwd: world.folder, root: world.root }));
    expect(meaningOf(loaded, "x")).toBe("project: x");
  });

  test("is never named by the path of its copy", async () => {
    const world = makeWorld();
    world.project({
      ".adjutant/commands/throws.ts": "throw new Error('at ' + import.meta.url);\n",
      ".adjutant/commands/missing.ts": "import './gone.ts';\nexport default {};\n",
      ".adjutant/commands/syntax.ts": "export default {\n  run( { return 1 }\n};\n",
      ".adjutant/commands/out.ts": "import '../../src/lib.ts';\nexport default {};\n",
      ".adjutant/commands/shape.ts": "export default {};\n",
      ".adjutant/commands.yaml": "bad: {}\n",
      ".adjutant/config.yaml": "nope: 1\n",
      "src/lib.ts": "",
    });
    await world.trust();
    const loaded = await world.load();
    const names = ["throws", "missing", "syntax", "out", "shape", "bad"];
    const texts = [
      ...names.map((name) => meaningOf(loaded, name)),
      ...loaded.warnings.map((w) => w.message),
    ];
    for (const text of texts) {
      expect(text).toContain(join(world.root, ".adjutant/"));
      expect(text).not.toContain(world.paths.stateDir);
    }
    expect(texts[3]).toBe(
      `broken: \`${world.root}/.adjutant/commands/out.ts\` imports \`../../src/lib.ts\`, which was not trusted with the project`,
    );
  });

  test("that is hostile executes nothing and hangs nothing before it is trusted", async () => {
    const world = makeWorld();
    const mark = join(world.folder, "executed");
    const evil = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`;
    world.project({
      ".adjutant/commands/evil.ts": evil,
      ".adjutant/commands/__proto__.ts": evil,
      ".adjutant/commands/constructor.js": evil,
      ".adjutant/commands/big.ts": "",
      ".adjutant/commands.yaml": `a: &a [x, x]\n${"b: [".repeat(2_000)}\n`,
      ".adjutant/config.yaml": "plugins: [evil]\n",
      ".adjutant/hooks.yaml": "{",
      "node_modules/evil/package.json": '{"adjutant":{"commands":"."}}',
      "node_modules/evil/evil.js": evil,
    });
    const layer = join(world.root, ".adjutant");
    truncateSync(join(layer, "commands/big.ts"), 100 * 1024 * 1024);
    makeFifo(join(layer, "commands/fifo.ts"));
    symlinkSync("/", join(layer, "root"));
    symlinkSync("/dev/zero", join(layer, "commands/zero.ts"));
    mkdirSync(join(layer, "deep/".repeat(300)), { recursive: true });
    for (const name of [undefined, "evil", "fifo", "__proto__", "constructor", "big", "zero"]) {
      const loaded = await world.load(name);
      expect(loaded.project.trust).toEqual({ kind: "untrusted" });
      expect(listNames(loaded.layers)).toEqual(["hello"]);
      if (name !== undefined) projectMentionsName(world.root, name, fileKinds(null));
    }
    expect(existsSync(mark)).toBe(false);
    expect(await faultOf(() => world.trust())).toMatchObject({ code: "TrustRefused" });
    expect(existsSync(mark)).toBe(false);
  });
});

describe("problems", () => {
  test("a broken command that is critical stops the whole load", async () => {
    for (const [path, content] of [
      ["commands/x.ts", "export default { description: 'x', critical: true };"],
      ["commands/x.ts", "throw new Error('no'); export default { critical: true };"],
      ["commands.yaml", "x: { description: d, critical: true }"],
    ] as const) {
      const world = makeWorld();
      world.user({ [path]: content });
      const raised = await faultOf(() => world.load());
      expect(raised).toMatchObject({ class: "Config", code: "CommandBroken" });
      expect(raised.message).toContain(`\`x\` could not be loaded: ${world.paths.configDir}`);
      expect(raised.hint).toContain("critical");
    }
  });

  test.each([
    ["repaired", say("good")],
    ["removed", null],
  ])("a critical command that is %s lets everything run again, by any name", async (_, text) => {
    const world = makeWorld();
    world.user({
      "commands/x.ts": "export default { description: 'x', critical: true };",
      "commands/y.ts": say("y"),
    });
    await faultOf(() => world.load("y"));
    const file = join(world.paths.configDir, "commands/x.ts");
    if (text === null) rmSync(file);
    else writeFileSync(file, text);
    expect(meaningOf(await world.load("y"), "y")).toBe("user: y");
    expect(meaningOf(await world.load("hello"), "hello")).toBe("bundled: bundled hello");
  });

  test("a folder that is none, and YAML that is none, are warnings; the rest loads", async () => {
    const world = makeWorld();
    world.user({ commands: "a file", "commands.yaml": "x: [\n", "config.yaml": "modl: a\n" });
    const loaded = await world.load();
    expect(loaded.warnings.map(({ code }) => code)).toEqual([
      "FolderUnreadable",
      "FileInvalid",
      "FileInvalid",
    ]);
    expect(loaded.warnings[0]?.message).toBe(
      `\`${world.paths.configDir}/commands\` cannot be read: it is not a folder`,
    );
    expect(loaded.warnings[1]?.message).toMatch(/commands\.yaml:2:1: not YAML: /);
    expect(loaded.warnings[2]?.message).toContain("config.yaml:1:1: unknown key `modl`");
    expect(meaningOf(loaded, "hello")).toBe("bundled: bundled hello");
  });
});

describe("reloading", () => {
  test("takes the new state", async () => {
    const world = makeWorld();
    world.user({ "commands/x.js": say("old") });
    const before = await world.load("x");
    world.user({ "commands/x.js": say("new"), "commands/y.js": say("more") });
    const reload = await reloadLayers(before);
    expect(reload.kind).toBe("reloaded");
    expect(meaningOf(reload.loaded, "x")).toBe("user: new");
    expect(meaningOf(reload.loaded, "y")).toBe("user: more");
  });

  test.each(
    sampled([
      ["YAML that no longer parses", { "commands.yaml": "x: {" }, "not YAML"],
      ["settings that are no longer valid", { "config.yaml": "agent: 3" }, "`agent` must be text"],
      [
        "a critical command that broke",
        { "commands/c.ts": "critical: true" },
        "`c` could not be loaded",
      ],
    ]),
  )("%s keeps the old state and says why", async (_, files, reason) => {
    const world = makeWorld();
    world.user({
      "commands.yaml": "x: { description: old, argv: [a] }\n",
      "config.yaml": "agent: a\n",
    });
    const before = await world.load();
    world.user(files);
    const reload = await reloadLayers(before);
    expect(reload.kind).toBe("kept");
    expect(reload.loaded).toBe(before);
    expect("problems" in reload && reload.problems[0]?.message).toContain(reason);
    expect(meaningOf(reload.loaded, "x")).toBe("user: old");
  });

  test("one broken command is no reason to keep the old state", async () => {
    const world = makeWorld();
    world.user({ "commands/x.js": say("x") });
    const before = await world.load();
    world.user({ "commands/x.js": "nonsense(", "commands/y.js": say("y") });
    const reload = await reloadLayers(before);
    expect(reload.kind).toBe("reloaded");
    expect(meaningOf(reload.loaded, "x")).toMatch(/^broken/);
    expect(meaningOf(reload.loaded, "y")).toBe("user: y");
  });
});

describe("plugins", () => {
  const plugin = (name: string, manifest: object, files: Record<string, string> = {}) =>
    Object.fromEntries([
      [`node_modules/${name}/package.json`, JSON.stringify({ name, ...manifest })],
      ...Object.entries(files).map(([path, text]) => [`node_modules/${name}/${path}`, text]),
    ]);

  test("sit between the bundled commands and the user's", async () => {
    const world = makeWorld();
    world.user({
      "config.yaml": "plugins: [adj-a, '@team/b']\n",
      "commands/x.ts": say("user x"),
      ...plugin(
        "adj-a",
        { adjutant: { commands: "./commands" }, exports: {} },
        {
          "commands/x.js": `module.exports = { description: "a x", run() {} };`,
          "commands/x.ts": "!",
        },
      ),
      ...plugin(
        "@team/b",
        { type: "module", adjutant: { commands: "cmds", hooks: "./hooks.yaml" } },
        { "cmds/y.mjs": say("b y"), "cmds/hello.js": say("b hello"), "hooks.yaml": "" },
      ),
    });
    const loaded = await world.load();
    expect(loaded.warnings).toEqual([]);
    expect(meaningOf(loaded, "x")).toBe("user: user x; hides plugin");
    expect(meaningOf(loaded, "y")).toBe("plugin: b y");
    expect(meaningOf(loaded, "hello")).toBe("plugin: b hello; hides bundled");
    expect(loaded.layers.map(({ plugin }) => plugin)).toEqual([null, "adj-a", "@team/b", null]);
    expect(loaded.plugins[1]?.hooksFile).toBe(
      join(world.paths.configDir, "node_modules/@team/b/hooks.yaml"),
    );
  });

  test("may be written in TypeScript, with what their files import", async () => {
    const world = makeWorld();
    world.user({
      "config.yaml": "plugins: [p]\n",
      ...plugin(
        "p",
        { adjutant: { commands: "c" } },
        {
          "c/typed.ts": `import { text } from "./lib/text.ts";\nconst n: number = 1;\nexport default { description: text, run() { return n; } };`,
          "c/lib/text.ts": 'export const text: string = "typed";',
          "c/types.d.ts": "export {};",
        },
      ),
    });
    const loaded = await world.load();
    expect(loaded.warnings).toEqual([]);
    expect(meaningOf(loaded, "typed")).toBe("plugin: typed");
  });

  test.each(
    sampled<[string, Record<string, string>, string]>([
      ["one that is not installed", {}, "the plugin `p` is not installed"],
      ["one that is none", plugin("p", {}), "the plugin `p` says nothing about Adjutant"],
      [
        "one whose folder is missing",
        plugin("p", { adjutant: { commands: "./c" } }),
        "names `commands` that are not there",
      ],
      [
        "one that reaches out",
        plugin("p", { adjutant: { commands: "../../commands" } }),
        "names `commands` outside its own folder",
      ],
      [
        "a broken package.json",
        { "node_modules/p/package.json": "{" },
        "has no usable package.json",
      ],
    ]),
  )("%s is a warning and harms nothing else", async (_, files, problem) => {
    const world = makeWorld();
    world.user({ "config.yaml": "plugins: [p]\n", "commands/x.ts": say("x"), ...files });
    const loaded = await world.load();
    expect(loaded.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining(problem),
    ]);
    expect(meaningOf(loaded, "x")).toBe("user: x");
  });

  test("a project can ask for one and never enable it", async () => {
    const world = makeWorld();
    world.user(plugin("p", { adjutant: { commands: "." } }, { "y.js": say("y") }));
    world.project({ ".adjutant/config.yaml": "requires_plugins: [p]\n" });
    await world.trust();
    const asked = await world.load();
    expect(asked.warnings[0]?.message).toBe(
      "the plugin `p` is required by this project and not enabled",
    );
    expect(meaningOf(asked, "y")).toBe("unknown");
    writeFiles(world.paths.configDir, { "config.yaml": "plugins: [p]\n" });
    const enabled = await world.load();
    expect(enabled.warnings).toEqual([]);
    expect(meaningOf(enabled, "y")).toBe("plugin: y");
    writeFileSync(join(world.paths.configDir, "config.yaml"), "");
    world.project({ ".adjutant/config.yaml": "plugins: [p]\n" });
    await world.trust();
    const enabling = await world.load();
    expect(enabling.warnings[0]?.message).toContain("a project cannot enable `plugins`");
    expect(meaningOf(enabling, "y")).toBe("unknown");
  });
});
