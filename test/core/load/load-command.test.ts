import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canRunAsNobody, NOBODY } from "../../support/programs.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { longTest, sampled } from "../../support/tier.ts";
import { drive } from "./drive.ts";
import { makeWorld } from "./world.ts";

const isRoot = process.getuid?.() === 0;

const GREET = `
import { defineCommand, ok, z } from "adjutant";
type Name = { name: string };
export default defineCommand({
  description: "Greet",
  args: z.object({ name: z.string() }),
  run: ({ name }: Name) => ok("hello " + name),
});
`;
/** Answers with the value of an expression. */
const answer = (expression: string, imports = ""): string =>
  `${imports}
import { ok } from "adjutant";
export default { description: "x", run: () => ok(String(${expression})) };
`;
const output = (text: string) => expect.objectContaining({ output: text });

describe("a command's module", () => {
  test("is TypeScript that imports the running Adjutant, in whatever package it lies", () => {
    const world = makeWorld();
    writeFiles(world.folder, { "package.json": '{ "type": "commonjs" }' });
    world.user({ "commands/greet.ts": GREET, "commands/plain.js": answer("1 + 1") });
    const { answers, stderr } = drive(world, [
      { run: "greet", args: { name: "Ann" } },
      { run: "plain" },
      { run: "hello" },
    ]);
    expect(answers.map(({ result }) => result)).toEqual([
      output("hello Ann"),
      output("2"),
      output("hello from the bundle"),
    ]);
    expect(answers[0]?.summary?.schema).toMatchObject({ properties: { name: { type: "string" } } });
    expect(stderr).toBe("");
  });

  test("may import files beside it, and packages by their own rules", () => {
    const world = makeWorld();
    world.user({
      "commands/x.ts": answer(
        "one + two",
        "import { one } from '../lib/one.ts'; import { two } from 'two';",
      ),
      "lib/one.ts": "export const one: number = 1;",
      "node_modules/two/package.json": '{ "name": "two", "main": "index.js" }',
      "node_modules/two/index.js": "exports.two = 2;",
    });
    expect(drive(world, [{ run: "x" }]).answers[0]?.result).toEqual(output("3"));
  });

  test("may be linked from elsewhere, and its folder may be a link", () => {
    const world = makeWorld();
    writeFiles(world.folder, {
      "dotfiles/package.json": '{ "type": "commonjs" }',
      "dotfiles/adj/commands/x.ts": answer("'linked folder'"),
      "other/package.json": '{ "type": "commonjs" }',
      "other/y.ts": answer("'linked file'"),
    });
    symlinkSync(join(world.folder, "dotfiles/adj"), world.paths.configDir);
    symlinkSync(join(world.folder, "other/y.ts"), join(world.paths.configDir, "commands/y.ts"));
    const { answers } = drive(world, [{ run: "x" }, { run: "y" }]);
    expect(answers.map(({ result }) => result)).toEqual([
      output("linked folder"),
      output("linked file"),
    ]);
  });

  test("prints nothing into the program's output while it is loaded", () => {
    const world = makeWorld();
    world.user({
      "commands/x.ts": `console.log("loading"); process.stdout.write("!");${answer("1")}`,
    });
    const { answers, stderr } = drive(world, [{ run: "x" }]);
    expect(answers[0]?.result).toEqual(output("1"));
    expect(stderr).toBe("loading\n!");
  });

  test("is imported alone: no other file of the layer is", () => {
    const world = makeWorld();
    world.user({
      "commands/x.ts": answer("globalThis.seen ?? 'only x'"),
      "commands/y.ts": `globalThis.seen = "y";${answer("2")}`,
    });
    expect(drive(world, [{ run: "x" }]).answers[0]?.result).toEqual(output("only x"));
  });

  test("that was edited since is checked and run as it is now", () => {
    const world = makeWorld();
    world.user({ "commands/x.ts": answer("'old'") });
    const file = join(world.paths.configDir, "commands/x.ts");
    const { answers } = drive(world, [
      { run: "x" },
      { write: file, text: answer("'edited'") },
      { run: "x" },
      { write: file, text: "export default { description: 'x' };" },
      { run: "x" },
    ]);
    expect(answers[0]?.result).toEqual(output("old"));
    expect(answers[2]?.result).toEqual(output("edited"));
    expect(answers[4]).toMatchObject({
      code: "CommandBroken",
      message: `\`x\` could not be loaded: ${file}: \`run\` must be a function`,
    });
  });

  test("is made anew by a reload, with what it imports", () => {
    const world = makeWorld();
    world.user({
      "commands/x.ts": answer("text", "import { text } from '../lib/text.ts';"),
      "lib/text.ts": "export const text = 'old';",
    });
    const { answers } = drive(world, [
      { run: "x" },
      { write: join(world.paths.configDir, "lib/text.ts"), text: "export const text = 'new';" },
      { reload: true },
      { run: "x" },
    ]);
    expect(answers[0]?.result).toEqual(output("old"));
    expect(answers[2]).toEqual({ kind: "reloaded" });
    expect(answers[3]?.result).toEqual(output("new"));
  });

  longTest("that never finishes loading here is given up", () => {
    const world = makeWorld();
    world.user({
      "commands/x.ts": `import { isMainThread } from "node:worker_threads";
if (isMainThread) await new Promise(() => {});${answer("1")}`,
    });
    expect(drive(world, [{ run: "x" }]).answers[0]).toMatchObject({
      code: "CommandBroken",
      message: expect.stringContaining("it did not finish loading within 5 s"),
    });
  });
});

describe("a project's module", () => {
  test("runs from the trusted copy, whatever the working tree says now", async () => {
    const world = makeWorld();
    world.project({
      ".adjutant/commands/x.ts": answer("text", "import { text } from '../lib/text.ts';"),
      ".adjutant/lib/text.ts": "export const text = 'trusted';",
    });
    await world.trust();
    world.project({
      ".adjutant/commands/x.ts": answer("'evil'"),
      ".adjutant/lib/text.ts": "export const text = 'evil';",
    });
    expect(drive(world, [{ run: "x" }]).answers[0]).toMatchObject({
      layer: "project",
      result: output("trusted"),
    });
  });

  test.each(
    sampled([
      ["a file of the project", "import '../../src/lib.ts';", "../../src/lib.ts"],
      ["a file from anywhere", "import '/etc/hostname';", "/etc/hostname"],
      ["a package by a name that it makes", "await import('depend' + 'ency');", "dependency"],
      ["the same, later", "await import('../../src/lib.ts');", "../../src/lib.ts"],
    ]),
  )("cannot import %s, which nobody approved", async (_, line, specifier) => {
    const world = makeWorld();
    world.project({
      ".adjutant/commands/x.ts": `${line}\n${answer("1")}`,
      "src/lib.ts": "export {};",
      "node_modules/dependency/package.json": '{ "main": "index.js" }',
      "node_modules/dependency/index.js": "",
    });
    await world.trust();
    const loaded = await world.load();
    const [entry] = loaded.layers.at(-1)?.entries.get("x") ?? [];
    expect(entry).toMatchObject({
      kind: "broken",
      fault: {
        class: "Trust",
        code: "ImportOutside",
        message: `\`${world.root}/.adjutant/commands/x.ts\` imports \`${specifier}\`, which was not trusted with the project`,
        hint: specifier.startsWith("d")
          ? "a package of the project may be imported once `adj trust` has listed it"
          : "move it into `.adjutant/`, then `adj trust`",
      },
    });
  });

  test("can import a package of the project that was listed when it was approved, as it is installed now", async () => {
    const world = makeWorld();
    const install = (text: string, main = "index.js") =>
      world.project({
        "node_modules/dependency/package.json": JSON.stringify({ main, type: "module" }),
        "node_modules/dependency/index.js": `import other from "other"; export default "${text}" + other;`,
        "node_modules/other/package.json": "{}",
        "node_modules/other/index.js": "module.exports = '!';",
      });
    world.project({
      ".adjutant/commands/x.ts": answer("text", "import { text } from '../lib/text.ts';"),
      ".adjutant/lib/text.ts": "import text from 'dependency'; export { text };",
    });
    install("one");
    await world.trust();
    expect(drive(world, [{ run: "x" }]).answers[0]?.result).toEqual(output("one!"));
    install("two");
    expect(drive(world, [{ run: "x" }]).answers[0]?.result).toEqual(output("two!"));
  });

  test.each([
    ["that lies above it", "", ["dependency"], "ImportOutside"],
    ["that an older version approved without listing it", "project/", undefined, "ImportOutside"],
    ["that was listed", "project/", ["dependency"], "command"],
  ])("imports a package %s: %s%j → %s", async (_, above, packages, expected) => {
    const world = makeWorld();
    world.project({ ".adjutant/commands/x.ts": answer("1", "import 'dependency';") });
    writeFiles(world.folder, {
      [`${above}node_modules/dependency/package.json`]: "{}",
      [`${above}node_modules/dependency/index.js`]: "",
    });
    const { copyDir } = await world.trust();
    const pins = { inPlace: {}, uncovered: [], packages };
    writeFileSync(join(copyDir, "..", "pins.json"), JSON.stringify(pins));
    const [entry] = (await world.load()).layers.at(-1)?.entries.get("x") ?? [];
    expect(entry?.kind === "broken" ? entry.fault.code : entry?.kind).toBe(expected);
  });

  test("can import what Node and Adjutant offer, and packages of its own", async () => {
    const world = makeWorld();
    world.project({
      ".adjutant/commands/x.ts": answer(
        "typeof readFileSync + typeof join + own",
        "import { readFileSync } from 'node:fs'; import { join } from 'path'; import own from 'own';",
      ),
      ".adjutant/node_modules/own/package.json": '{ "main": "index.js" }',
      ".adjutant/node_modules/own/index.js": "module.exports = '!';",
    });
    await world.trust();
    expect(drive(world, [{ run: "x" }]).answers[0]?.result).toEqual(output("functionfunction!"));
  });
});

describe("a project's program", () => {
  const script = (text: string) => `#!/bin/sh\necho ${text} "$@"\n`;
  const FILES = {
    ".adjutant/commands.yaml": `
own: { description: d, argv: [./own.sh, fixed] }
tool: { description: d, argv: [../bin/tool.sh] }
interpreted: { description: d, argv: [sh, scripts/s.sh] }
shell: { description: d, shell: sh, command: 'scripts/s.sh "$@"' }
late: { description: d, shell: sh, command: scripts/late.sh }
place: { description: d, argv: [pwd], cwd: ../sub }
plain: { description: d, argv: [echo, hi] }
`,
    ".adjutant/own.sh": script("own"),
    "bin/tool.sh": script("tool"),
    "scripts/s.sh": script("script"),
    "sub/x": "",
  };

  async function trusted() {
    const world = makeWorld();
    world.project(FILES);
    for (const path of [".adjutant/own.sh", "bin/tool.sh", "scripts/s.sh"])
      chmodSync(join(world.root, path), 0o755);
    await world.trust();
    return world;
  }
  const run = (name: string) => ({ run: name, args: ["a b"] });

  test("is found beside its file, beside the project, by its interpreter and by its shell", async () => {
    const world = await trusted();
    const names = ["own", "tool", "interpreted", "shell", "place", "plain"];
    const { answers } = drive(
      world,
      names.map((name) => ({ run: name, args: name === "place" ? [] : ["a b"] })),
    );
    expect(answers.map(({ result }) => result)).toEqual([
      output("own fixed a b\n"),
      output("tool a b\n"),
      output("script a b\n"),
      output("script a b\n"),
      output(`${world.root}/sub\n`),
      output("hi a b\n"),
    ]);
  });

  test("is run from the copy, and refused where nothing was approved", async () => {
    const world = await trusted();
    world.project({
      ".adjutant/own.sh": script("evil"),
      "bin/tool.sh": script("evil"),
      "scripts/s.sh": script("evil"),
      "scripts/late.sh": script("evil"),
    });
    chmodSync(join(world.root, "scripts/late.sh"), 0o755);
    const { answers } = drive(world, ["own", "tool", "interpreted", "shell", "late"].map(run));
    expect(answers.slice(0, 4).map(({ result }) => result)).toEqual([
      output("own fixed a b\n"),
      output("tool a b\n"),
      output("script a b\n"),
      output("script a b\n"),
    ]);
    expect(answers.slice(4)).toMatchObject([
      {
        code: "ProgramChanged",
        message: `\`${world.root}/scripts/late.sh\` changed since the project was trusted`,
      },
    ]);
  });

  test("is not what a folder further down has under that name", async () => {
    const world = await trusted();
    world.project({ "sub/scripts/s.sh": script("evil") });
    chmodSync(join(world.root, "sub/scripts/s.sh"), 0o755);
    const { answers } = drive(world, [run("interpreted"), run("shell")], {
      cwd: join(world.root, "sub"),
    });
    expect(answers.map(({ result }) => result)).toEqual([
      output("script a b\n"),
      output("script a b\n"),
    ]);
  });
});

test.skipIf(isRoot && !canRunAsNobody)(
  "what may not be read is a warning, and what may not be written is done without",
  () => {
    const world = makeWorld();
    world.user({
      "commands/x.ts": answer("1"),
      "commands.yaml": "y: { description: d, argv: [echo] }",
    });
    mkdirSync(world.paths.stateDir);
    chmodSync(world.folder, 0o755);
    chmodSync(world.paths.stateDir, 0o555);
    chmodSync(join(world.paths.configDir, "commands"), 0o000);
    // Nothing is out of root's reach.
    const options = isRoot ? { uid: NOBODY } : {};
    const { answers, warnings } = drive(world, [{ run: "y", args: ["hi"] }, { run: "x" }], options);
    chmodSync(join(world.paths.configDir, "commands"), 0o755);
    expect(answers).toMatchObject([{ result: output("hi\n") }, { kind: "unknown" }]);
    expect(warnings).toEqual([
      `\`${world.paths.configDir}/commands\` cannot be read: permission denied`,
    ]);
  },
);
