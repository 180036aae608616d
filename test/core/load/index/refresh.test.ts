import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { listNames } from "../../../../src/core/command/registry.ts";
import { loadLayers, reloadLayers } from "../../../../src/core/load/layers.ts";
import { makeFifo, makeOld } from "../../../support/temporary-folder.ts";
import { inTier, longTest, sampled } from "../../../support/tier.ts";
import { makeWorld, meaningOf, RUNTIME, say, type World } from "../world.ts";

/** A command that leaves a line in a file each time it is imported. */
const counted = (world: World, description: string): string =>
  `import { appendFileSync } from "node:fs";
appendFileSync(${JSON.stringify(join(world.folder, "imports"))}, ${JSON.stringify(`${description}\n`)});
${say(description)}`;

function imports(world: World): string[] {
  const file = join(world.folder, "imports");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

const broken = async (world: World, name: string): Promise<string> =>
  meaningOf(await world.load(), name)
    .replace("broken: ", "")
    .replace(`${world.paths.configDir}/commands/`, "");

describe("a command file that cannot be loaded says why", () => {
  test.each(
    sampled([
      [
        "throws",
        "const a = 1;\nthrow new Error('no luck');\n",
        "x.ts:2:7: it threw while it was loaded: no luck",
      ],
      ["throws no error", "throw 'words';\n", "x.ts: it threw while it was loaded: words"],
      [
        "throws later",
        "setTimeout(() => { throw new Error('late'); });\nawait new Promise(() => setInterval(() => {}, 1000));\n",
        "x.ts: it threw after it was loaded: late",
      ],
      [
        "rejects and never waits",
        "Promise.reject(new Error('lost'));\nawait new Promise((r) => setTimeout(r, 1000));\nexport default {};\n",
        "x.ts: it threw after it was loaded: lost",
      ],
      ["exits", "process.exit(0);\n", "x.ts: it called `process.exit(0)` while it was loaded"],
      [
        "waits for nothing",
        "await new Promise(() => {});\n",
        "x.ts: a top-level `await` in it never ends",
      ],
      [
        "is not TypeScript",
        "export default {\n  run( { return 1 }\n};\n",
        "x.ts:2:17: syntax error: Expected ',', got 'numeric literal'",
      ],
      [
        "uses what cannot be stripped",
        "\nenum A { B }\n",
        "x.ts:2:1: syntax error: TypeScript enum is not supported in strip-only mode",
      ],
      [
        "declares twice",
        "import 'node:fs';\nconst a = 1;\n  const a = 2;\nexport default {};\n",
        "x.ts:3:9: syntax error: Identifier 'a' has already been declared",
      ],
      [
        "imports what is not exported",
        "import { nothing } from 'adjutant';\n",
        "x.ts:1:10: syntax error: The requested module 'adjutant' does not provide an export named 'nothing'",
      ],
      ["exports nothing", "export const x = 1;\n", "x.ts: it exports nothing by default"],
      ["is empty", "", "x.ts: it exports nothing by default"],
      [
        "exports a function",
        "export default () => 1;\n",
        "x.ts: its default export is not a definition",
      ],
    ]),
  )("one that %s", async (_, content, reason) => {
    const world = makeWorld();
    world.user({ "commands/x.ts": content, "commands/y.ts": say("y") });
    expect(await broken(world, "x")).toBe(reason);
    expect(meaningOf(await world.load(), "y")).toBe("user: y");
  });

  test("a JavaScript file has the place of its syntax error too", async () => {
    const world = makeWorld();
    world.user({ "commands/x.js": "export default {\n  run( { return 1 }\n};\n" });
    expect(await broken(world, "x")).toBe("x.js:2:17: syntax error: Unexpected number");
  });

  test("an error in an imported file is shown there", async () => {
    const world = makeWorld();
    world.user({ "commands/x.ts": "import '../lib/y.ts';\n", "lib/y.ts": "const a: = 1;\n" });
    expect(meaningOf(await world.load(), "x")).toContain(
      `broken: ${world.paths.configDir}/lib/y.ts:1:10: syntax error`,
    );
  });

  longTest("one that spins is ended after five seconds, and the others load", async () => {
    const world = makeWorld();
    world.user({
      "commands/a.ts": say("a"),
      "commands/spin.ts": "for (;;);\n",
      "commands/z.ts": say("z"),
    });
    expect(await broken(world, "spin")).toBe("spin.ts: it did not finish loading within 5 s");
    const loaded = await world.load();
    expect(meaningOf(loaded, "a")).toBe("user: a");
    expect(meaningOf(loaded, "z")).toBe("user: z");
  });

  longTest("one that waits on and on is ended as well", async () => {
    const world = makeWorld();
    world.user({ "commands/x.ts": "await new Promise(() => setInterval(() => {}, 100));\n" });
    expect(await broken(world, "x")).toBe("x.ts: it did not finish loading within 5 s");
  });

  longTest("one that took too long is tried again when it is called by its name", async () => {
    const world = makeWorld();
    const ready = JSON.stringify(join(world.folder, "ready"));
    world.user({
      "commands/x.ts": `import { existsSync } from "node:fs";\nwhile (!existsSync(${ready}));\n${say("x")}`,
      "commands/y.ts": say("y"),
    });
    expect(await broken(world, "x")).toBe("x.ts: it did not finish loading within 5 s");
    writeFileSync(join(world.folder, "ready"), "");
    // A list does not wait for it, nor does another command.
    expect(await broken(world, "x")).toBe("x.ts: it did not finish loading within 5 s");
    expect(meaningOf(await world.load("y"), "y")).toBe("user: y");
    expect(meaningOf(await world.load("x"), "x")).toBe("user: x");
    expect(await broken(world, "x")).toBe("user: x");
  });

  test("one that leaves a trap behind does not spoil the next", async () => {
    const world = makeWorld();
    world.user({
      "commands/a.ts": `setImmediate(() => process.exit(1));\n${say("a")}`,
      "commands/b.ts": `await new Promise((r) => setTimeout(r, 200));\n${say("b")}`,
    });
    const loaded = await world.load();
    expect([meaningOf(loaded, "a"), meaningOf(loaded, "b")]).toEqual(["user: a", "user: b"]);
  });

  longTest("one that eats all memory does not end the program", async () => {
    const world = makeWorld();
    world.user({
      "commands/x.js": "const all = [];\nfor (;;) all.push(new Array(1e5).fill(all.length));\n",
    });
    // On a busy machine the time may be over before the memory is.
    expect(await broken(world, "x")).toMatch(
      /x\.js: (it threw after it was loaded: |it did not finish loading within)/,
    );
  });

  test("a FIFO among the user's commands is not opened", async () => {
    const world = makeWorld();
    world.user({ "commands/y.ts": say("y") });
    makeFifo(join(world.paths.configDir, "commands/x.ts"));
    expect(await broken(world, "x")).toBe("x.ts: it is not a regular file");
  });
});

describe("the index", () => {
  test("saves importing what did not change", async () => {
    const world = makeWorld();
    world.user({ "commands/a.js": counted(world, "a"), "commands/b.js": counted(world, "b") });
    await world.load();
    expect(imports(world)).toEqual(["a", "b"]);
    await world.load();
    await world.load("a");
    expect(imports(world)).toEqual(["a", "b"]);
    appendFileSync(join(world.paths.configDir, "commands/b.js"), "\n");
    world.user({ "commands/c.js": counted(world, "c") });
    const loaded = await world.load();
    expect(imports(world)).toEqual(["a", "b", "b", "c"]);
    expect(listNames(loaded.layers)).toEqual(["a", "b", "c", "hello"]);
  });

  test("notices an edit in place that keeps size and time", async () => {
    const world = makeWorld();
    world.user({ "commands/a.js": say("one") });
    const file = join(world.paths.configDir, "commands/a.js");
    makeOld(file);
    await world.load();
    writeFileSync(file, say("two"));
    makeOld(file);
    expect(meaningOf(await world.load("a"), "a")).toBe("user: two");
  });

  test("of a single command looks at the files of that one alone", async () => {
    const world = makeWorld();
    const commands = join(world.paths.configDir, "commands");
    world.user({
      "commands/a.js": say("a", "aliases: ['first'],"),
      "commands/b.js": counted(world, "b"),
    });
    makeOld(commands);
    await world.load();
    appendFileSync(join(commands, "b.js"), "\n");
    expect(meaningOf(await world.load("a"), "a")).toBe("user: a");
    expect(meaningOf(await world.load("first"), "first")).toBe("user: a");
    expect(imports(world)).toEqual(["b"]);
    await world.load("b");
    expect(imports(world)).toEqual(["b", "b"]);
  });

  longTest(
    "of a very large layer lists edits in place once they were used or reloaded",
    async () => {
      const world = makeWorld();
      const commands = join(world.paths.configDir, "commands");
      world.user(
        Object.fromEntries(
          Array.from({ length: 2_001 }, (_, at) => [`commands/c${at}.js`, say(`c${at}`)]),
        ),
      );
      makeOld(commands);
      await world.load();
      for (const at of [1, 2]) writeFileSync(join(commands, `c${at}.js`), say(`new ${at}`));
      expect(meaningOf(await world.load(), "c1")).toBe("user: c1");
      expect(meaningOf(await world.load("c1"), "c1")).toBe("user: new 1");
      const listed = await world.load();
      expect(meaningOf(listed, "c1")).toBe("user: new 1");
      world.user({ "commands/added.js": say("added") });
      expect(meaningOf(await world.load(), "added")).toBe("user: added");
      writeFileSync(join(commands, "c2.js"), say("newest"));
      expect(meaningOf((await reloadLayers(listed)).loaded, "c2")).toBe("user: newest");
    },
  );

  test("looks at everything before a name is unknown", async () => {
    const world = makeWorld();
    const commands = join(world.paths.configDir, "commands");
    world.user({ "commands/a.js": say("a") });
    makeOld(commands);
    await world.load();
    writeFileSync(join(commands, "a.js"), say("a", "aliases: ['fresh'],"));
    expect(meaningOf(await world.load("fresh"), "fresh")).toBe("user: a");
  });

  test("forgets a file that is gone", async () => {
    const world = makeWorld();
    world.user({
      "commands/a.js": say("a"),
      "commands/b.js": say("b"),
      "commands.yaml": "y: { description: y, argv: [a] }",
      "config.yaml": "agent: a",
    });
    await world.load();
    for (const path of ["commands/a.js", "commands.yaml", "config.yaml"])
      rmSync(join(world.paths.configDir, path));
    const loaded = await world.load();
    expect(listNames(loaded.layers)).toEqual(["b", "hello"]);
    expect(loaded.settings.agent).toBeNull();
  });

  test("tries again what broke for a reason outside the file", async () => {
    const world = makeWorld();
    world.user({ "commands/a.js": `import '../lib/late.ts';\n${say("a")}` });
    makeOld(join(world.paths.configDir, "commands"));
    expect(meaningOf(await world.load(), "a")).toMatch(/^broken: .*there is no `/);
    world.user({ "lib/late.ts": "" });
    expect(meaningOf(await world.load("a"), "a")).toBe("user: a");
  });

  test("of another version of Adjutant is not believed", async () => {
    const world = makeWorld();
    world.user({ "commands/a.js": counted(world, "a") });
    await world.load();
    await loadLayers(world.request({ runtime: { ...RUNTIME, version: "1.0.1" } }));
    expect(imports(world)).toEqual(["a", "a"]);
  });

  test.each(sampled(["", "{", "\0\0", "SQLite format 3\0".padEnd(5_000, "?")]))(
    "that is damaged (%j) is made anew",
    async (content) => {
      const world = makeWorld();
      world.user({
        "commands/a.js": say("a"),
        "commands.yaml": "y: { description: y, argv: [a] }",
      });
      world.state({ "index.db": content });
      for (let round = 0; round < 2; round++) {
        const loaded = await world.load();
        expect([meaningOf(loaded, "a"), meaningOf(loaded, "y")]).toEqual(["user: a", "user: y"]);
      }
      expect(readFileSync(join(world.paths.stateDir, "index.db"), "utf8")).not.toBe(content);
    },
  );

  test("of version 0.1, a file for each layer, is taken away", async () => {
    const world = makeWorld();
    world.user({ "commands/a.js": say("a") });
    world.state({ "index/+config+commands.json": "{}" });
    expect(meaningOf(await world.load(), "a")).toBe("user: a");
    expect(existsSync(join(world.paths.stateDir, "index"))).toBe(false);
  });

  test("of a newer Adjutant is left to that one", async () => {
    const world = makeWorld();
    world.user({ "commands/a.js": counted(world, "a") });
    const newer = new DatabaseSync(join(world.state({}), "index.db"));
    newer.exec("PRAGMA user_version = 999");
    for (let round = 0; round < 2; round++)
      expect(meaningOf(await world.load(), "a")).toBe("user: a");
    expect(imports(world)).toEqual(["a"]);
    expect(newer.prepare("PRAGMA user_version").get()).toEqual({ user_version: 999 });
    newer.close();
  });

  test("of layers that were loaded stays as it was when others refresh it", async () => {
    const world = makeWorld();
    world.user({ "commands/a.js": say("a") });
    await world.load();
    const listed = await world.load();
    world.user({ "commands/a.js": say("other"), "commands/b.js": say("b") });
    expect(meaningOf(await world.load(), "b")).toBe("user: b");
    expect([meaningOf(listed, "a"), meaningOf(listed, "b")]).toEqual(["user: a", "unknown"]);
  });

  test("is done without where the state folder cannot be written", async () => {
    const world = makeWorld();
    world.user({ "commands/a.js": say("a") });
    writeFileSync(world.paths.stateDir, "a file where the folder should be");
    expect(meaningOf(await world.load(), "a")).toBe("user: a");
    expect(meaningOf(await world.load(), "a")).toBe("user: a");
  });

  test("may be made by several processes at once", async () => {
    const world = makeWorld();
    world.user(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`commands/c${at}.js`, say(`c${at}`)]),
      ),
    );
    const script = `
      const { loadLayers } = await import(${JSON.stringify(new URL("../../../../src/core/load/layers.ts", import.meta.url).href)});
      const request = ${JSON.stringify({ cwd: world.root, paths: world.paths, runtime: RUNTIME })};
      const bundled = { layer: { name: "bundled", plugin: null, entries: new Map() } };
      const { fileKinds } = await import(${JSON.stringify(new URL("../../../../src/features.ts", import.meta.url).href)});
      const loaded = await loadLayers({ ...request, bundled, fileKinds: fileKinds(null) });
      process.exit(loaded.layers[1].entries.size === 20 ? 0 : 1);
    `;
    const codes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
        return (await once(child, "exit"))[0];
      }),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    const loaded = await world.load();
    expect(meaningOf(loaded, "c7")).toBe("user: c7");
  });

  test("keeps everything a command says about itself", async () => {
    const world = makeWorld();
    world.user({
      "commands/a.ts": `
        import { defineCommand, ok, z } from "adjutant";
        export default defineCommand({
          description: "All of it", version: "1.2.3-rc.1", effect: "exclusive", safety: "destructive",
          aliases: ["b", "c"], category: "things", argumentHint: "[name]", examples: ["a x"],
          timeout: "90s", env: { TOKEN: "x" }, inheritEnv: true, holdLeaseWhileAsking: true, person: true, agents: true,
          args: z.object({ name: z.string().default("you").meta({ positional: 0, plain: true }) }),
          run: ({ name }) => ok(name),
        });`,
    });
    for (let round = 0; round < 2; round++) {
      const loaded = await world.load();
      const [entry] = loaded.layers[1]?.entries.get("c") ?? [];
      expect(entry?.kind === "command" && entry.summary).toEqual({
        name: "a",
        description: "All of it",
        version: "1.2.3-rc.1",
        effect: "exclusive",
        safety: "destructive",
        person: true,
        agents: true,
        aliases: ["b", "c"],
        category: "things",
        argumentHint: "[name]",
        examples: ["a x"],
        timeoutMs: 90_000,
        env: { TOKEN: "x" },
        inheritEnv: true,
        holdLeaseWhileAsking: true,
        critical: false,
        schema: expect.objectContaining({
          type: "object",
          properties: { name: { type: "string", default: "you", positional: 0, plain: true } },
        }),
      });
    }
  });

  const MANY = inTier(300, 1_000);
  test(`holds ${2 * MANY} commands`, async () => {
    const world = makeWorld();
    world.user(
      Object.fromEntries(
        Array.from({ length: MANY }, (_, at) => [`commands/c${at}.js`, say(`c${at}`)]),
      ),
    );
    world.user({
      "commands.yaml": Array.from(
        { length: MANY },
        (_, at) => `y${at}: { description: y${at}, argv: [a] }\n`,
      ).join(""),
    });
    for (let round = 0; round < 2; round++) {
      const loaded = await world.load();
      expect(listNames(loaded.layers)).toHaveLength(2 * MANY + 1);
      expect(meaningOf(loaded, "c277")).toBe("user: c277");
      expect(meaningOf(loaded, "y277")).toBe("user: y277");
    }
  });
});
