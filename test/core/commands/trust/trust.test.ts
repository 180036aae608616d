import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hashProject } from "../../../../src/core/project/trust/approval.ts";
import { inspectGuards } from "../../../../src/core/project/trust/guards.ts";
import { inspectTrust } from "../../../../src/core/project/trust/inspect.ts";
import {
  openTestProgram,
  person,
  type TestProgram,
  textOf,
} from "../../../support/program-of-commands.ts";
import { writeFiles } from "../../../support/temporary-folder.ts";

const programWithProject = () => {
  const opened = openTestProgram();
  mkdirSync(join(opened.root, ".adjutant", "commands"), { recursive: true });
  mkdirSync(join(opened.root, "bin"));
  write(opened, ".adjutant/commands/greet.ts", "one\n");
  write(opened, ".adjutant/commands.yaml", "go: { description: x, argv: [../bin/go] }\n");
  write(opened, "bin/go", "#!/bin/sh\n");
  return opened;
};
const write = ({ root }: TestProgram, path: string, text: string) =>
  writeFileSync(join(root, path), text);
const stateOf = async ({ root, stateDir }: TestProgram) =>
  (await inspectTrust(root, stateDir)).kind;
const changesOf = ({ program }: TestProgram) =>
  [...program.audit.read({ types: ["TrustChanged"] })].map(({ data }) => data);

describe("trust", () => {
  test("shows what would run before it asks, then trusts exactly that", async () => {
    const opened = programWithProject();
    const hash = await hashProject(opened.root);
    const shown: string[] = [];
    let shownWhenAsked = "";
    const outcome = await opened.run(["trust"], {
      ...person(true, () => {
        shownWhenAsked = shown.join("");
      }),
      onOutput: (chunk) => void shown.push(Buffer.from(chunk).toString()),
    });
    expect(outcome.result.metadata).toMatchObject({ state: "trusted", hash, from: null });
    for (const part of ["added    .adjutant/commands/greet.ts", "programs it names: bin/go", hash])
      expect(shownWhenAsked).toContain(part);
    expect(shown.join("").trimEnd()).toBe(textOf(outcome));
    expect(await stateOf(opened)).toBe("trusted");
    expect(changesOf(opened)).toEqual([{ root: opened.root, from: null, to: hash }]);
    const again = await opened.run(["trust"]);
    expect(textOf(again)).toBe(`${opened.root} is trusted as it is`);
  });

  test("says before it asks that a file of hooks is broken, and where", async () => {
    const opened = openTestProgram();
    mkdirSync(join(opened.root, ".adjutant"));
    write(opened, ".adjutant/hooks.yaml", "hooks:\n  - { name: a, on: before_tol }\n");
    const shown: string[] = [];
    await opened.run(["trust"], {
      ...person(false),
      onOutput: (chunk) => void shown.push(Buffer.from(chunk).toString()),
    });
    expect(shown.join("")).toContain(
      ".adjutant/hooks.yaml:2:20: unknown step `before_tol`; did you mean `before_tool`? mend it first: ",
    );
  });

  test("says in one line each what a change counts at once of, and names all programs of the system in one", async () => {
    const opened = openTestProgram();
    mkdirSync(join(opened.root, ".adjutant"));
    const hook =
      "on: after_tool, match: { kind: shell, command: 'npm test*' }, run: { argv: [git, status] }";
    write(opened, ".adjutant/hooks.yaml", `hooks:\n  - { name: a, ${hook} }\n`);
    write(opened, ".adjutant/commands.yaml", "all:\n  description: x\n  argv: [make, all]\n");
    write(opened, "Makefile", "all:\n");
    const hash = await hashProject(opened.root);
    expect(textOf(await opened.run(["trust"], person(true)))).toBe(`what can run in ${opened.root}:
  added    .adjutant/commands.yaml
  added    .adjutant/hooks.yaml
  added    Makefile
not covered, a change of it counts at once:
  .adjutant/commands.yaml:2: what \`make all\` runs of the project (now Makefile)
programs of the system: \`git\`
hash ${hash}
trusted ${opened.root} with 3 files`);
    write(opened, ".adjutant/hooks.yaml", "hooks: []\n");
    const again = await opened.run(["trust"], person(true));
    expect(textOf(again)).toContain(
      `what changed in ${opened.root} since you trusted it:\n  changed  .adj`,
    );
  });

  test("refuses a guard that imports a package: it could be changed unseen", async () => {
    const opened = openTestProgram();
    writeFiles(opened.root, {
      ".adjutant/hooks.yaml":
        "hooks:\n  - { name: g, on: before_tool, run: { argv: [node, ./guard.mjs] } }\n",
      ".adjutant/guard.mjs": 'import "loud";\n',
      "node_modules/loud/package.json": "{}",
    });
    const { error } = await opened.run(["trust"], person(true));
    expect(error?.message).toContain("the guard `g` runs the package `loud`, which");
  });

  test("does not trust what changed while the person was asked", async () => {
    const opened = programWithProject();
    const change = () => write(opened, ".adjutant/commands/greet.ts", "slipped in\n");
    const outcome = await opened.run(["trust"], person(true, change));
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "TrustRefused" } });
    expect(await stateOf(opened)).toBe("untrusted");
    expect(changesOf(opened)).toEqual([]);
  });

  test.each([
    ["declined", person(false), "Declined"],
    ["nobody there", {}, "Required"],
    ["only --yes", { yes: true }, "Required"],
    ["an agent asking", { ...person(true), env: { CLAUDECODE: "1" } }, "Required"],
  ])("with %s nothing is trusted", async (_, options, code) => {
    const opened = programWithProject();
    const outcome = await opened.run(["trust"], options);
    expect(outcome).toMatchObject({ kind: "rejected", error: { code }, result: { exitCode: 126 } });
    expect(await stateOf(opened)).toBe("untrusted");
  });

  test("without a terminal says which flag would allow it, with the hash", async () => {
    const opened = programWithProject();
    const outcome = await opened.run(["trust"]);
    expect(outcome.error?.hint).toContain(`adj trust --hash ${await hashProject(opened.root)}`);
  });

  test("in a folder without .adjutant there is nothing to trust", async () => {
    expect(await openTestProgram().run(["trust"], person(true))).toMatchObject({
      kind: "rejected",
      error: { code: "TrustRefused" },
    });
  });
});

describe("--hash", () => {
  test("needs no terminal", async () => {
    const opened = programWithProject();
    const outcome = await opened.run(["trust", "--hash", await hashProject(opened.root)]);
    expect(outcome.kind).toBe("ok");
    expect(await stateOf(opened)).toBe("trusted");
  });

  test("of another state is refused", async () => {
    const opened = programWithProject();
    const outcome = await opened.run(["trust", "--hash", "0".repeat(64)]);
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "TrustRefused" } });
    expect(await stateOf(opened)).toBe("untrusted");
  });

  test("is refused below an agent", async () => {
    const opened = programWithProject();
    const env = { GEMINI_CLI: "1" };
    const outcome = await opened.run(["trust", "--hash", await hashProject(opened.root)], { env });
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "Required" } });
    expect(await stateOf(opened)).toBe("untrusted");
  });

  test.each(["", "abc", "0".repeat(63), "Z".repeat(64)])("%j is no hash", async (hash) => {
    const outcome = await programWithProject().run(["trust", `--hash=${hash}`]);
    expect(outcome).toMatchObject({ error: { code: "ArgumentsInvalid" } });
  });
});

test("--diff shows the change line by line and approves nothing", async () => {
  const opened = programWithProject();
  await opened.run(["trust"], person(true));
  expect(textOf(await opened.run(["trust", "--diff"]))).toBe(
    "nothing changed since it was trusted",
  );
  write(opened, ".adjutant/commands/greet.ts", "two\n");
  const outcome = await opened.run(["trust", "--diff"]);
  expect(textOf(outcome)).toContain("changed .adjutant/commands/greet.ts");
  expect(textOf(outcome)).toContain("-one\n+two\n");
  expect(outcome.result.metadata).toMatchObject({
    state: "changed",
    changes: [{ kind: "changed" }],
  });
  expect(await stateOf(opened)).toBe("changed");
  const [, hash = ""] = /^hash ([0-9a-f]{64})$/m.exec(textOf(outcome)) ?? [];
  expect((await opened.run(["trust", "--hash", hash])).kind).toBe("ok");
  expect(await stateOf(opened)).toBe("trusted");
});

test("--list names the trusted projects", async () => {
  const opened = programWithProject();
  expect(textOf(await opened.run(["trust", "--list"]))).toBe("no project is trusted");
  await opened.run(["trust"], person(true));
  const outcome = await opened.run(["trust", "--list"]);
  expect(outcome.result.metadata?.projects).toEqual([
    { root: opened.root, hash: await hashProject(opened.root), at: expect.any(String), files: 3 },
  ]);
});

describe("--revoke", () => {
  test("also ends the guards of a project whose folder was removed, which nothing else does", async () => {
    const opened = programWithProject();
    await opened.run(["trust"], person(true));
    rmSync(join(opened.root, ".adjutant"), { recursive: true });
    const guards = async () => (await inspectGuards(opened.root, opened.stateDir)).kind;
    expect(await guards()).toBe("removed");
    const again = await opened.run(["trust"], person(true));
    expect(again.error?.hint).toContain("adj trust --revoke");
    expect(await guards()).toBe("removed");
    expect((await opened.run(["trust", "--revoke"], person(true))).kind).toBe("ok");
    expect(await guards()).toBe("none");
  });

  test("takes trust back, with an event, when a person says so", async () => {
    const opened = programWithProject();
    await opened.run(["trust"], person(true));
    const hash = await hashProject(opened.root);
    expect((await opened.run(["trust", "--revoke"], person(true))).kind).toBe("ok");
    expect(await stateOf(opened)).toBe("untrusted");
    expect(changesOf(opened).at(-1)).toEqual({ root: opened.root, from: hash, to: null });
  });

  test.each([
    ["an agent", { ...person(true), env: { CODEX_SANDBOX: "1" } }],
    ["a script", {}],
  ])("is refused to %s: it would switch the project's guards off", async (_, options) => {
    const opened = programWithProject();
    await opened.run(["trust"], person(true));
    const outcome = await opened.run(["trust", "--revoke"], options);
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "Required" } });
    expect(await stateOf(opened)).toBe("trusted");
  });

  test("of a project that is not trusted changes nothing", async () => {
    const opened = programWithProject();
    expect((await opened.run(["trust", "--revoke"])).kind).toBe("ok");
    expect(changesOf(opened)).toEqual([]);
  });
});

test("two acts at once are refused", async () => {
  const outcome = await programWithProject().run(["trust", "--diff", "--revoke"]);
  expect(outcome).toMatchObject({ kind: "rejected", error: { code: "ArgumentsInvalid" } });
});
