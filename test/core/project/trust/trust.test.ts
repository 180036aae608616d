import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import {
  approveProject,
  hashProject,
  revokeApproval,
} from "../../../../src/core/project/trust/approval.ts";
import { diffTrust } from "../../../../src/core/project/trust/diff.ts";
import { inspectGuards } from "../../../../src/core/project/trust/guards.ts";
import { inspectTrust } from "../../../../src/core/project/trust/inspect.ts";
import { readTree } from "../../../../src/core/project/trust/tree.ts";
import { faultOf } from "../../../support/faults.ts";
import {
  makeFifo,
  makeOld,
  temporaryFolder,
  writeFiles,
} from "../../../support/temporary-folder.ts";

interface Project {
  readonly root: string;
  readonly stateDir: string;
}

function project(files: Readonly<Record<string, string>>): Project {
  const folder = temporaryFolder();
  const root = join(folder, "project");
  mkdirSync(root);
  writeFiles(root, files);
  return { root, stateDir: join(folder, "state") };
}

const inspect = ({ root, stateDir }: Project, file?: string) =>
  inspectTrust(root, stateDir, file === undefined ? {} : { file: join(root, file) });

test("a program that is exchanged while it is read is not approved by its other text", async () => {
  const { root } = project({
    ".adjutant/commands.yaml": "x: { description: x, argv: [sh, x.sh] }\n",
    "x.sh": "cat y.sh | sh\n",
  });
  const readExchanged = () =>
    readTree(root, {
      onFile: ({ path }) => {
        if (path === "x.sh") writeFiles(root, { "x.sh": "echo harmless\n" });
      },
    });
  expect((await faultOf(readExchanged)).message).toContain("`x.sh` changed while it was read");
});

const write = ({ root }: Project, path: string, content: string) =>
  writeFiles(root, { [path]: content });

const WRITES_IN_TURNS = `
  const { renameSync, writeFileSync } = require("node:fs");
  const { dirname, join } = require("node:path");
  const { parentPort, workerData: { file, texts } } = require("node:worker_threads");
  const next = join(dirname(file), "../next");
  for (let turn = 0; ; turn++) {
    writeFileSync(next, texts[turn % 2]);
    renameSync(next, file);
    if (turn === 0) parentPort.postMessage("begun");
  }`;

describe("the states of a project", () => {
  test("without .adjutant there is nothing to trust", async () => {
    expect(await inspect(project({ "x.txt": "" }))).toEqual({ kind: "none" });
  });

  test("a new one is untrusted, and nothing is written about it", async () => {
    const fresh = project({ ".adjutant/commands/x.ts": "1" });
    expect(await inspect(fresh)).toEqual({ kind: "untrusted" });
    expect(existsSync(fresh.stateDir)).toBe(false);
  });

  test("an approved one is trusted, with a copy that mirrors the root", async () => {
    const trusted = project({
      ".adjutant/commands/x.ts": "1",
      ".adjutant/lib/a/b.ts": "2",
      "y.ts": "3",
    });
    const approval = await approveProject(trusted.root, trusted.stateDir);
    expect(await inspect(trusted)).toEqual({
      kind: "trusted",
      hash: approval.hash,
      copyDir: approval.copyDir,
      asIs: [],
    });
    expect(readFileSync(join(approval.copyDir, ".adjutant/commands/x.ts"), "utf8")).toBe("1");
    expect(readFileSync(join(approval.copyDir, ".adjutant/lib/a/b.ts"), "utf8")).toBe("2");
    expect(existsSync(join(approval.copyDir, "y.ts"))).toBe(false);
    expect(approval.fileCount).toBe(2);
  });

  test.each([
    ["an edited file", (it: Project) => write(it, ".adjutant/commands/x.ts", "2")],
    ["an added file", (it: Project) => write(it, ".adjutant/commands/y.ts", "2")],
    ["a removed file", (it: Project) => rmSync(join(it.root, ".adjutant/commands/x.ts"))],
    [
      "an edit that restores size and time",
      (it: Project) => {
        const file = join(it.root, ".adjutant/commands/x.ts");
        writeFileSync(file, "2");
        makeOld(file);
      },
    ],
    [
      "a file that may now be executed",
      (it: Project) => chmodSync(join(it.root, ".adjutant/commands/x.ts"), 0o755),
    ],
    [
      "a changed program outside .adjutant",
      (it: Project) => appendFileSync(join(it.root, "bin/tool"), "more"),
    ],
    [
      "a changed script of an interpreter",
      (it: Project) => appendFileSync(join(it.root, "tools/t.js"), "more"),
    ],
    [
      "a changed file in a shell command",
      (it: Project) => appendFileSync(join(it.root, "tools/s.sh"), "more"),
    ],
    ["a program that was not there before", (it: Project) => write(it, "tools/late.sh", "x")],
  ])("%s leaves the copy in force and is reported", async (_, change) => {
    const it = project({
      ".adjutant/commands/x.ts": "1",
      ".adjutant/commands.yaml":
        "a: { argv: [../bin/tool] }\nb: { argv: [node, tools/t.js] }\nc: { shell: sh, command: tools/s.sh && tools/late.sh }\n",
      "bin/tool": "tool",
      "tools/t.js": "t",
      "tools/s.sh": "s",
    });
    const paths = [".adjutant", ".adjutant/commands", ".adjutant/commands/x.ts"];
    makeOld(...paths.map((path) => join(it.root, path)));
    const { hash, copyDir } = await approveProject(it.root, it.stateDir);
    expect(await inspect(it)).toMatchObject({ kind: "trusted" });
    change(it);
    const state = await inspect(it);
    expect(state).toMatchObject({ kind: "changed", hash, copyDir, problem: null });
    expect(state).toMatchObject({ currentHash: await hashProject(it.root) });
    expect(readFileSync(join(copyDir, ".adjutant/commands/x.ts"), "utf8")).toBe("1");
    expect(readFileSync(join(copyDir, "bin/tool"), "utf8")).toBe("tool");
    // Said again without reading the tree again.
    expect(await inspect(it)).toEqual(state);
  });

  test("a change that is taken back is trusted as before", async () => {
    const it = project({ ".adjutant/x.yaml": "1" });
    const { hash } = await approveProject(it.root, it.stateDir);
    write(it, ".adjutant/x.yaml", "2");
    expect(await inspect(it)).toMatchObject({ kind: "changed" });
    write(it, ".adjutant/x.yaml", "1");
    expect(await inspect(it)).toMatchObject({ kind: "trusted", hash });
  });

  test("going back to any approved state needs no new approval", async () => {
    const it = project({ ".adjutant/x.yaml": "main" });
    const main = await approveProject(it.root, it.stateDir);
    write(it, ".adjutant/x.yaml", "branch");
    const branch = await approveProject(it.root, it.stateDir);
    expect(branch.hash).not.toBe(main.hash);
    write(it, ".adjutant/x.yaml", "main");
    expect(await inspect(it)).toMatchObject({
      kind: "trusted",
      hash: main.hash,
      copyDir: main.copyDir,
    });
    write(it, ".adjutant/x.yaml", "third");
    expect(await inspect(it)).toMatchObject({ kind: "changed", hash: main.hash });
    write(it, ".adjutant/x.yaml", "branch");
    expect(await inspect(it)).toMatchObject({ kind: "trusted", hash: branch.hash });
  });

  test("for guards only what was approved last counts, until an older state is approved again", async () => {
    const it = project({ ".adjutant/x.yaml": "without the guard" });
    const older = await approveProject(it.root, it.stateDir);
    write(it, ".adjutant/x.yaml", "with the guard");
    const newer = await approveProject(it.root, it.stateDir);
    write(it, ".adjutant/x.yaml", "without the guard");
    expect(await inspect(it)).toMatchObject({ kind: "trusted", hash: older.hash });
    expect(await inspectGuards(it.root, it.stateDir)).toMatchObject({
      kind: "changed",
      hash: newer.hash,
      copyDir: newer.copyDir,
    });
    rmSync(join(it.root, ".adjutant"), { recursive: true });
    expect(await inspectGuards(it.root, it.stateDir)).toMatchObject({
      kind: "removed",
      hash: newer.hash,
    });
    write(it, ".adjutant/x.yaml", "without the guard");
    await approveProject(it.root, it.stateDir);
    expect(await inspectGuards(it.root, it.stateDir)).toMatchObject({
      kind: "trusted",
      hash: older.hash,
    });
  });

  test("a folder that is gone means no layer, and it is trusted when it comes back", async () => {
    const it = project({ ".adjutant/x.yaml": "1" });
    await approveProject(it.root, it.stateDir);
    rmSync(join(it.root, ".adjutant"), { recursive: true });
    expect(await inspect(it)).toEqual({ kind: "none" });
    write(it, ".adjutant/x.yaml", "1");
    expect(await inspect(it)).toMatchObject({ kind: "trusted" });
  });

  test("a tree that can no longer be trusted is changed, with the reason", async () => {
    const it = project({ ".adjutant/x.yaml": "1" });
    await approveProject(it.root, it.stateDir);
    symlinkSync("/etc", join(it.root, ".adjutant/etc"));
    const state = await inspect(it);
    expect(state).toMatchObject({ kind: "changed", currentHash: null });
    expect(state).toHaveProperty("problem.message", expect.stringContaining("`.adjutant/etc`"));
  });

  test("what was revoked is untrusted, in every state", async () => {
    const it = project({ ".adjutant/x.yaml": "1" });
    await approveProject(it.root, it.stateDir);
    expect(revokeApproval(it.root, it.stateDir)).toBe(true);
    expect(await inspect(it)).toEqual({ kind: "untrusted" });
    expect(revokeApproval(it.root, it.stateDir)).toBe(false);
  });

  test("another root with the same files is not trusted by it", async () => {
    const it = project({ ".adjutant/x.yaml": "1" });
    const other = project({ ".adjutant/x.yaml": "1" });
    await approveProject(it.root, it.stateDir);
    expect(await inspectTrust(other.root, it.stateDir)).toEqual({ kind: "untrusted" });
  });

  test.each([
    ["current.json", "{"],
    ["current.json", '{"hash":"../../x"}'],
  ])("a damaged %s means untrusted", async (name, content) => {
    const it = project({ ".adjutant/x.yaml": "1" });
    const { copyDir } = await approveProject(it.root, it.stateDir);
    writeFileSync(join(copyDir, "../..", name), content);
    expect(await inspect(it)).toEqual({ kind: "untrusted" });
  });

  test.each([
    "",
    "{}\n",
    "nonsense",
    '{"hash":"x","folders":{},"programs":{},"fileCount":1}\n[1]\n',
  ])("a damaged note of what was seen (%j) is made anew", async (content) => {
    const it = project({ ".adjutant/x.yaml": "1" });
    const { copyDir, hash } = await approveProject(it.root, it.stateDir);
    writeFileSync(join(copyDir, "../../seen.ndjson"), content);
    expect(await inspect(it)).toMatchObject({ kind: "trusted", hash });
  });

  test("in a large tree the file that is about to be used is looked at", async () => {
    const files = Array.from({ length: 300 }, (_, at) => [`.adjutant/commands/c${at}.ts`, "1"]);
    const it = project(Object.fromEntries(files));
    makeOld(join(it.root, ".adjutant"), join(it.root, ".adjutant/commands"));
    await approveProject(it.root, it.stateDir);
    write(it, ".adjutant/commands/c7.ts", "2");
    expect(await inspect(it, ".adjutant/commands/c8.ts")).toMatchObject({ kind: "trusted" });
    expect(await inspect(it, ".adjutant/commands/c7.ts")).toMatchObject({ kind: "changed" });
  });
});

describe("approving", () => {
  test("the given hash must be the tree's", async () => {
    const it = project({ ".adjutant/x.yaml": "1" });
    const raised = await faultOf(() => approveProject(it.root, it.stateDir, "0".repeat(64)));
    expect(raised).toMatchObject({ class: "Trust", code: "TrustRefused" });
    expect(await inspect(it)).toEqual({ kind: "untrusted" });
    const hash = await hashProject(it.root);
    expect(await approveProject(it.root, it.stateDir, hash)).toMatchObject({ hash });
  });

  test("the hash depends on names, contents, kinds and modes, not on time", async () => {
    const hashOf = (files: Record<string, string>) => hashProject(project(files).root);
    const base = await hashOf({ ".adjutant/a": "1", ".adjutant/b/c": "2" });
    expect(await hashOf({ ".adjutant/b/c": "2", ".adjutant/a": "1" })).toBe(base);
    expect(await hashOf({ ".adjutant/a": "1", ".adjutant/b/c": "3" })).not.toBe(base);
    expect(await hashOf({ ".adjutant/a": "1", ".adjutant/b-c": "2" })).not.toBe(base);
    const executable = project({ ".adjutant/a": "1", ".adjutant/b/c": "2" });
    chmodSync(join(executable.root, ".adjutant/a"), 0o700);
    expect(await hashProject(executable.root)).not.toBe(base);
  });

  test("a link inside the layer is copied as a link, an executable stays one", async () => {
    const it = project({ ".adjutant/lib/a.sh": "#!/bin/sh\n" });
    chmodSync(join(it.root, ".adjutant/lib/a.sh"), 0o755);
    symlinkSync("lib/a.sh", join(it.root, ".adjutant/b.sh"));
    const { copyDir } = await approveProject(it.root, it.stateDir);
    expect(readlinkSync(join(copyDir, ".adjutant/b.sh"))).toBe("lib/a.sh");
    expect(lstatSync(join(copyDir, ".adjutant/lib/a.sh")).mode & 0o777).toBe(0o500);
  });

  test("a program behind a link of the layer is copied once", async () => {
    const it = project({
      ".adjutant/real/a.sh": "x",
      ".adjutant/commands.yaml": "a: { argv: [./lib/a.sh] }\n",
    });
    symlinkSync("real", join(it.root, ".adjutant/lib"));
    const { copyDir } = await approveProject(it.root, it.stateDir);
    expect(readFileSync(join(copyDir, ".adjutant/lib/a.sh"), "utf8")).toBe("x");
  });

  test("a refused tree leaves nothing behind", async () => {
    const it = project({ ".adjutant/a": "1" });
    symlinkSync("/etc/passwd", join(it.root, ".adjutant/z"));
    await faultOf(() => approveProject(it.root, it.stateDir));
    const left = readdirSync(it.stateDir, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => !entry.isDirectory())).toEqual([]);
  });

  test("a state folder that cannot be written is said so", async () => {
    const it = project({ ".adjutant/a": "1" });
    writeFileSync(it.stateDir, "a file");
    const raised = await faultOf(() => approveProject(it.root, it.stateDir));
    expect(raised).toMatchObject({ class: "Storage", code: "StoreUnavailable" });
  });
});

describe("a hostile project is refused, and named, at once", () => {
  const layer = (it: Project) => join(it.root, ".adjutant");

  test.each<[string, string, (it: Project) => void]>([
    [
      "a FIFO",
      "`.adjutant/commands/x.ts` is a FIFO",
      (it) => {
        mkdirSync(join(layer(it), "commands"), { recursive: true });
        makeFifo(join(layer(it), "commands/x.ts"));
      },
    ],
    [
      "a link out of the tree",
      "`.adjutant/x` is a link to `../../secret`",
      (it) => symlinkSync("../../secret", join(layer(it), "x")),
    ],
    [
      "an absolute link",
      "`.adjutant/x` is a link to `/etc/passwd`",
      (it) => symlinkSync("/etc/passwd", join(layer(it), "x")),
    ],
    [
      "a link that climbs through another",
      "`.adjutant/y` is a link to `s/b/up/../../out`",
      (it) => {
        writeFiles(it.root, { out: "x", ".adjutant/s/b/c": "" });
        symlinkSync("..", join(layer(it), "s/b/up"));
        symlinkSync("s/b/up/../../out", join(layer(it), "y"));
      },
    ],
    [
      "a circle of links",
      "`.adjutant/x` cannot be read: it is a symbolic link or a circle of them",
      (it) => symlinkSync("x", join(layer(it), "x")),
    ],
    [
      "a link to nothing",
      "`.adjutant/x` cannot be read: it does not exist",
      (it) => symlinkSync("nothing", join(layer(it), "x")),
    ],
    [
      "a large file",
      "`.adjutant/big.ts` cannot be read: it is larger than 10 MB",
      (it) => {
        write(it, ".adjutant/big.ts", "");
        truncateSync(join(layer(it), "big.ts"), 100 * 1024 * 1024);
      },
    ],
    [
      "many large files",
      "`.adjutant` holds more than 100 MB",
      (it) => {
        for (let at = 0; at < 12; at++) {
          write(it, `.adjutant/${at}`, "");
          truncateSync(join(layer(it), String(at)), 9 * 1024 * 1024);
        }
      },
    ],
    [
      "deep folders",
      "lies more than 64 folders deep",
      (it) => mkdirSync(join(layer(it), "d/".repeat(200)), { recursive: true }),
    ],
    [
      "very many files",
      "`.adjutant` holds more than 20000 files",
      (it) => {
        for (let at = 0; at < 20_001; at++) writeFileSync(join(layer(it), `f${at}`), "");
      },
    ],
    [
      "a program that links out of the project",
      "`bin/x` is a link to something outside the project",
      (it) => {
        write(it, ".adjutant/commands.yaml", "x: { argv: [../bin/x] }");
        mkdirSync(join(it.root, "bin"));
        symlinkSync("/bin/sh", join(it.root, "bin/x"));
      },
    ],
    [
      "a layer that is a link",
      "`.adjutant` is a link, not a folder",
      (it) => {
        rmSync(layer(it), { recursive: true });
        symlinkSync("/etc", layer(it));
      },
    ],
  ])("%s", async (_, message, prepare) => {
    const it = project({ ".adjutant/a": "" });
    prepare(it);
    expect(await inspect(it)).toEqual({ kind: "untrusted" });
    const raised = await faultOf(() => approveProject(it.root, it.stateDir));
    expect(raised).toMatchObject({ class: "Trust", code: "TrustRefused" });
    expect(raised.message).toContain(message);
    expect(await faultOf(() => diffTrust(it.root, it.stateDir))).toMatchObject({
      message: raised.message,
    });
  });

  test("an alias bomb and names like __proto__ are only bytes to it", async () => {
    const it = project({
      ".adjutant/commands/__proto__.ts": "1",
      ".adjutant/commands/constructor": "1",
      ".adjutant/commands.yaml": `a: &a [x, x]\n${[..."bcdefghijklmnopqrstuvwxyz"]
        .map(
          (name, at) =>
            `${name}: &${name} [*${"abcdefghijklmnopqrstuvwxyz"[at]}, *${"abcdefghijklmnopqrstuvwxyz"[at]}]`,
        )
        .join("\n")}\n`,
    });
    expect(await approveProject(it.root, it.stateDir)).toMatchObject({ fileCount: 3 });
    expect(await inspect(it)).toMatchObject({ kind: "trusted" });
  });
});

describe("the diff", () => {
  test("of a project that was never trusted shows everything as added", async () => {
    const it = project({ ".adjutant/a.yaml": "x: 1\n" });
    expect((await diffTrust(it.root, it.stateDir)).changes).toEqual([
      {
        path: ".adjutant/a.yaml",
        kind: "added",
        isBinary: false,
        diff: "@@ -0,0 +1,1 @@\n+x: 1\n",
      },
    ]);
  });

  test("lists added, removed and changed files, and says what is binary", async () => {
    const it = project({
      ".adjutant/a": "1\n",
      ".adjutant/b": "same\n",
      ".adjutant/c": "1\n",
      ".adjutant/d": "bin\0ary",
      ".adjutant/e": "x\n",
    });
    await approveProject(it.root, it.stateDir);
    expect((await diffTrust(it.root, it.stateDir)).changes).toEqual([]);
    rmSync(join(it.root, ".adjutant/a"));
    writeFiles(it.root, { ".adjutant/c": "2\n", ".adjutant/d": "bin\0", ".adjutant/f": "new\n" });
    chmodSync(join(it.root, ".adjutant/e"), 0o755);
    const { changes } = await diffTrust(it.root, it.stateDir);
    expect(changes.map(({ path, kind, isBinary }) => [path, kind, isBinary])).toEqual([
      [".adjutant/a", "removed", false],
      [".adjutant/c", "changed", false],
      [".adjutant/d", "changed", true],
      [".adjutant/e", "changed", false],
      [".adjutant/f", "added", false],
    ]);
    expect(changes[1]?.diff).toBe("@@ -1,1 +1,1 @@\n-1\n+2\n");
    expect(changes[2]?.diff).toBe("binary content\n");
    expect(changes[3]?.diff).toBe("from a file to an executable file\n");
  });

  test("has the hash of the very bytes that it shows, while somebody changes them", async () => {
    const it = project({ ".adjutant/a.yaml": "a: 1\n" });
    const first = await hashProject(it.root);
    const workerData = { file: join(it.root, ".adjutant/a.yaml"), texts: ["a: 2\n", "a: 1\n"] };
    const writer = new Worker(WRITES_IN_TURNS, { eval: true, workerData });
    await once(writer, "message");
    for (let look = 0; look < 200; look++) {
      const { tree, changes } = await diffTrust(it.root, it.stateDir);
      expect(changes[0]?.diff.includes("+a: 1")).toBe(tree.hash === first);
    }
    await writer.terminate();
  });

  test("shows controls and direction marks instead of obeying them", async () => {
    const it = project({ ".adjutant/a": "ok \u001b[2K\u202e hidden\r\n" });
    const {
      changes: [change],
    } = await diffTrust(it.root, it.stateDir);
    expect(change?.diff).toContain("+ok \\u{1b}[2K\\u{202e} hidden\\u{d}\n");
  });
});
