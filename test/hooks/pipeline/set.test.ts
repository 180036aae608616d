import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findPaths } from "../../../src/core/project/paths.ts";
import { approveProject, revokeApproval } from "../../../src/core/project/trust/approval.ts";
import { loadHookSet, requireFolders } from "../../../src/hooks/pipeline/set.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { inTier } from "../../support/tier.ts";

interface World {
  readonly root: string;
  readonly paths: { readonly stateDir: string; readonly configDir: string };
}

function world(files: Readonly<Record<string, string>>): World {
  const folder = temporaryFolder();
  writeFiles(folder, { "project/.git/HEAD": "", ...files });
  return {
    root: join(folder, "project"),
    paths: { stateDir: join(folder, "state"), configDir: join(folder, "config") },
  };
}

const USER = "config/hooks.yaml";
const PROJECT = "project/.adjutant/hooks.yaml";

const rule = (name: string, program = "check", rest = ""): string =>
  `  - { name: ${name}, on: before_tool, run: { argv: [${program}] }${rest} }\n`;
const hooks = (...rules: readonly string[]): string => `hooks:\n${rules.join("")}`;

const load = (it: World, version = "1") => loadHookSet({ ...it, version });
const trust = (it: World) => approveProject(it.root, it.paths.stateDir);
const names = async (it: World) => (await load(it)).rules.map(({ name }) => name);
const write = (it: World, path: string, text: string) =>
  writeFiles(join(it.root, ".."), { [path]: text });

describe("layers", () => {
  test("without any file there is nothing, and nothing is written", async () => {
    const it = world({});
    expect(await load(it)).toEqual({ rules: [], broken: [], warnings: [] });
    expect(existsSync(it.paths.stateDir)).toBe(false);
  });

  test("the project comes first and the user last, who sees what will really happen", async () => {
    const it = world({ [USER]: hooks(rule("u1"), rule("u2")), [PROJECT]: hooks(rule("p")) });
    await trust(it);
    const { rules } = await load(it);
    expect(rules.map(({ name, layer }) => `${layer} ${name}`)).toEqual([
      "project p",
      "user u1",
      "user u2",
    ]);
  });

  test("a project that is not trusted has no hooks, and is told of", async () => {
    const it = world({ [USER]: hooks(rule("u")), [PROJECT]: hooks(rule("p")) });
    const { rules, warnings } = await load(it);
    expect(rules.map(({ name }) => name)).toEqual(["u"]);
    expect(warnings).toEqual([
      "this project is not trusted, so its hooks do not count; look with `adj trust --diff`, allow with `adj trust`",
    ]);
  });

  test("a project's rule runs from the trusted copy and is known by its own file", async () => {
    const it = world({ [PROJECT]: hooks(rule("p", "./guard", ", cwd: sub")) });
    const { copyDir } = await trust(it);
    expect((await load(it)).rules).toMatchObject([
      {
        file: join(it.root, ".adjutant/hooks.yaml"),
        folder: join(copyDir, ".adjutant"),
        cwd: join(it.root, ".adjutant/sub"),
      },
    ]);
  });

  test("plugins run between project and user, with the user's trust", async () => {
    const plugin = { name: "guards", adjutant: { hooks: "./hooks.yaml" } };
    const it = world({
      [USER]: hooks(rule("u")),
      [PROJECT]: hooks(rule("p")),
      "config/config.yaml": "plugins: [guards]\n",
      "config/node_modules/guards/package.json": JSON.stringify(plugin),
      "config/node_modules/guards/hooks.yaml": hooks(rule("g", "./guard")),
    });
    await trust(it);
    const { rules } = await load(it);
    expect(rules.map(({ name, layer }) => `${layer} ${name}`)).toEqual([
      "project p",
      "user g",
      "user u",
    ]);
    expect(rules[1]?.folder).toBe(join(it.paths.configDir, "node_modules/guards"));
    write(it, "config/node_modules/guards/hooks.yaml", hooks(rule("other")));
    expect(await names(it)).toEqual(["p", "other", "u"]);
  });

  test("a plugin that is not there is told of, and found once it is", async () => {
    const it = world({ "config/config.yaml": "plugins: [guards]\n" });
    expect((await load(it)).warnings).toEqual([
      `the plugin \`guards\` is not installed; run \`npm install guards\` in \`${it.paths.configDir}\``,
    ]);
    write(it, "config/node_modules/guards/hooks.yaml", hooks(rule("g")));
    write(it, "config/node_modules/guards/package.json", '{"adjutant":{"hooks":"./hooks.yaml"}}');
    expect(await names(it)).toEqual(["g"]);
  });
});

describe("equal entries and switching off", () => {
  test("an equal entry counts once, for the more trusted", async () => {
    const it = world({
      [USER]: hooks(rule("same"), rule("mine")),
      [PROJECT]: hooks(rule("same"), rule("other")),
    });
    await trust(it);
    const { rules } = await load(it);
    expect(rules.map(({ name, layer }) => `${layer} ${name}`)).toEqual([
      "project other",
      "user same",
      "user mine",
    ]);
  });

  test("two files may each name a program beside them: those are two", async () => {
    const it = world({
      [USER]: hooks(rule("guard", "./guard")),
      [PROJECT]: hooks(rule("guard", "./guard")),
    });
    await trust(it);
    expect(await names(it)).toEqual(["guard", "guard"]);
  });

  test("a project cannot switch off a user's guard", async () => {
    const it = world({
      [USER]: hooks(rule("guard")),
      [PROJECT]: `disable: [guard]\n${hooks(rule("p"))}`,
    });
    await trust(it);
    expect(await names(it)).toEqual(["p", "guard"]);
    expect((await load(it)).warnings).toEqual([
      `${join(it.root, ".adjutant/hooks.yaml")}:1:11: \`guard\` is not this file's to switch off; it stays in force`,
    ]);
  });

  test("nor by the same name: its own goes, the user's stays", async () => {
    const it = world({
      [USER]: hooks(rule("guard", "one")),
      [PROJECT]: `disable: [guard]\n${hooks(rule("guard", "two"))}`,
    });
    await trust(it);
    expect((await load(it)).rules).toMatchObject([{ layer: "user", name: "guard" }]);
  });

  test("a user switches off what the project, a plugin or the own file has", async () => {
    const it = world({
      [USER]: `disable: [p, u, g, nobody]\n${hooks(rule("u"), rule("v"))}`,
      [PROJECT]: hooks(rule("p"), rule("q")),
      "config/config.yaml": "plugins: [guards]\n",
      "config/node_modules/guards/package.json": '{"adjutant":{"hooks":"./hooks.yaml"}}',
      "config/node_modules/guards/hooks.yaml": `disable: [v, q]\n${hooks(rule("g"))}`,
    });
    await trust(it);
    expect(await names(it)).toEqual(["v"]);
    expect((await load(it)).warnings).toEqual([
      `${join(it.paths.configDir, "node_modules/guards/hooks.yaml")}:1:11: \`v\` is not this file's to switch off; it stays in force`,
      `${join(it.paths.configDir, "hooks.yaml")}:1:20: no hook is called \`nobody\``,
    ]);
  });
});

describe("a project that changes", () => {
  test("keeps the hooks it was trusted with until it is trusted again", async () => {
    const it = world({ [PROJECT]: hooks(rule("old")) });
    await trust(it);
    write(it, PROJECT, hooks(rule("new")));
    expect(await names(it)).toEqual(["old"]);
    expect((await load(it)).warnings).toHaveLength(1);
    await trust(it);
    expect(await names(it)).toEqual(["new"]);
  });

  test.each([
    ["its hooks file", ".adjutant/hooks.yaml"],
    ["its whole folder", ".adjutant"],
  ])("keeps its guards when %s is removed", async (_, path) => {
    const it = world({
      [PROJECT]: hooks(rule("guard", "./guard")),
      "project/.adjutant/guard": "x",
    });
    const { copyDir } = await trust(it);
    expect(await names(it)).toEqual(["guard"]);
    rmSync(join(it.root, path), { recursive: true });
    const { rules, warnings } = await load(it);
    expect(rules).toMatchObject([{ name: "guard", folder: join(copyDir, ".adjutant") }]);
    expect(existsSync(join(copyDir, ".adjutant/guard"))).toBe(true);
    expect(warnings).toHaveLength(1);
  });

  test("has no hooks any more when its trust is taken back", async () => {
    const it = world({ [PROJECT]: hooks(rule("guard")) });
    await trust(it);
    expect(await names(it)).toEqual(["guard"]);
    rmSync(join(it.root, ".adjutant"), { recursive: true });
    revokeApproval(it.root, it.paths.stateDir);
    expect(await load(it)).toEqual({ rules: [], broken: [], warnings: [] });
  });
});

describe("a file that does not parse", () => {
  test("keeps what it last said, with a warning, until it is repaired", async () => {
    const it = world({ [USER]: hooks(rule("guard")) });
    expect(await names(it)).toEqual(["guard"]);
    write(it, USER, "hooks: [");
    const { rules, broken, warnings } = await load(it);
    expect(rules.map(({ name }) => name)).toEqual(["guard"]);
    expect(broken).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /hooks\.yaml:1:9: not YAML: .*; until it is repaired, what it last said stays in force$/,
    );
    write(it, USER, hooks(rule("other")));
    expect(await load(it)).toMatchObject({ rules: [{ name: "other" }], warnings: [] });
  });

  test("keeps it over a new version of Adjutant, too", async () => {
    const it = world({ [USER]: hooks(rule("guard")) });
    await load(it, "1");
    write(it, USER, "hooks: [");
    expect((await load(it, "2")).rules).toMatchObject([{ name: "guard" }]);
  });

  test("without a last good form is broken, with its place", async () => {
    const it = world({ [USER]: "hooks:\n  - { name: x, on: before_tol, run: { argv: [x] } }\n" });
    expect(await load(it)).toEqual({
      rules: [],
      broken: [
        {
          where: `${join(it.paths.configDir, "hooks.yaml")}:2:20`,
          problem: "unknown step `before_tol`; did you mean `before_tool`?",
        },
      ],
      warnings: [],
    });
  });

  test("that was removed and came back broken has no last good form", async () => {
    const it = world({ [USER]: hooks(rule("guard")), "config/config.yaml": "" });
    await load(it);
    rmSync(join(it.paths.configDir, "hooks.yaml"));
    expect(await names(it)).toEqual([]);
    write(it, USER, "hooks: [");
    expect((await load(it)).broken).toHaveLength(1);
  });

  test("of a project that was trusted broken is broken; trusted before, the good one stays", async () => {
    const it = world({ [PROJECT]: hooks(rule("guard", "./guard")) });
    await trust(it);
    const { rules } = await load(it);
    write(it, PROJECT, "hooks: [");
    await trust(it);
    expect((await load(it)).rules).toEqual(rules);
    revokeApproval(it.root, it.paths.stateDir);
    await trust(it);
    expect(await load(it)).toMatchObject({
      rules: [],
      broken: [{ where: `${join(it.root, ".adjutant/hooks.yaml")}:1:9` }],
    });
  });

  test("settings that do not parse leave the plugins' hooks in force", async () => {
    const it = world({
      "config/config.yaml": "plugins: [guards]\n",
      "config/node_modules/guards/package.json": '{"adjutant":{"hooks":"./hooks.yaml"}}',
      "config/node_modules/guards/hooks.yaml": hooks(rule("g")),
    });
    expect(await names(it)).toEqual(["g"]);
    write(it, "config/config.yaml", "plugins: [");
    expect(await names(it)).toEqual(["g"]);
    expect((await load(it)).warnings[0]).toMatch(/the hooks of your plugins stay in force$/);
  });
});

describe("the compiled form", () => {
  const compiledFile = ({ root, paths }: World) =>
    join(paths.stateDir, "hooks", `${root.replaceAll("/", "+")}.json`);

  test("is what counts while no file changed", async () => {
    const it = world({ [USER]: hooks(rule("guard")) });
    await load(it);
    const file = compiledFile(it);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"guard"', '"compiled"'));
    expect(await names(it)).toEqual(["compiled"]);
    write(it, USER, hooks(rule("other")));
    expect(await names(it)).toEqual(["other"]);
  });

  test.each(["", "{", "null", "[]", '{"key":1}'])("is made anew where it is %j", async (text) => {
    const it = world({ [USER]: hooks(rule("guard")) });
    const before = await load(it);
    writeFileSync(compiledFile(it), text);
    expect(await load(it)).toEqual(before);
  });

  test("of another version is made anew", async () => {
    const it = world({ [USER]: hooks(rule("guard")) });
    await load(it, "1");
    const file = compiledFile(it);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"guard"', '"compiled"'));
    expect((await load(it, "2")).rules).toMatchObject([{ name: "guard" }]);
  });
});

test("a folder that another process makes between two looks is no link to nothing", async () => {
  const folder = temporaryFolder();
  const paths = { stateDir: join(folder, "state"), configDir: join(folder, "config") };
  const toggle = `for i in {1..${inTier(100, 500)}}; do mkdir config; rmdir config; done`;
  const child = spawn("bash", ["-c", toggle], { cwd: folder, stdio: "ignore" });
  const ended = once(child, "exit");
  const problems = new Set<string>();
  while (child.exitCode === null) {
    for (let again = 0; again < 200; again++)
      try {
        requireFolders({ ...findPaths({}, folder), ...paths });
      } catch (error) {
        problems.add(String(error));
      }
    await new Promise(setImmediate);
  }
  await ended;
  expect([...problems].filter((text) => text.includes("link to nothing"))).toEqual([]);
});
