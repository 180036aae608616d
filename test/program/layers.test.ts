// Which definition of a name counts, and what a project may do before and after it is trusted.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { type Home, makeHome } from "./adj.ts";

const echo = (words: string) => `{ description: "${words}", argv: [echo, ${words}] }`;
const yaml = (commands: Readonly<Record<string, string>>): string =>
  Object.entries(commands)
    .map(([name, words]) => `${name}: ${words.startsWith("{") ? words : echo(words)}\n`)
    .join("");
const DISABLE = "{ disable: true }";

const PROJECT = "project/.adjutant/commands.yaml";
const USER = "config/commands.yaml";
const TRUST_HINT = "look with `adj trust --diff`, allow with `adj trust`";
const CHANGED = `adj: this project changed since you trusted it; what you trusted stays in force; ${TRUST_HINT}\n`;
const UNTRUSTED = `adj: this project is not trusted, so its commands and settings do not count; ${TRUST_HINT}\n`;

const printed = (stdout: string, stderr = "") => ({ exitCode: 0, stdout: `${stdout}\n`, stderr });
const unknown = (name: string) => ({
  exitCode: 127,
  stdout: "",
  stderr: `adj: unknown command \`${name}\`; list all with \`adj commands\`\n`,
});

async function rowsOf(home: Home, name: string) {
  const { stdout } = await home.adj("--json", "commands", name);
  return JSON.parse(stdout).result.metadata.commands;
}

describe("a higher layer", () => {
  test("shadows the lower ones, and the listing says what it hides", async () => {
    const home = makeHome();
    home.write({ [USER]: yaml({ tools: "user" }), [PROJECT]: yaml({ tools: "project" }) });
    expect(await home.adj("--quiet", "tools")).toMatchObject(printed("user"));
    await home.trust();
    expect(await home.adj("tools")).toMatchObject(printed("project"));
    expect(await rowsOf(home, "tools")).toMatchObject([
      {
        name: "tools",
        description: "project",
        layer: "project",
        file: join(home.folder, PROJECT),
        hides: [{ layer: "user", file: join(home.folder, USER) }, { layer: "bundled" }],
      },
    ]);
  });

  test("disables an inherited command, and a higher one still brings it back", async () => {
    const home = makeHome();
    home.write({ [USER]: yaml({ tools: DISABLE, mine: "user" }) });
    expect(await home.adj("tools")).toMatchObject(unknown("tools"));
    home.write({ [PROJECT]: yaml({ tools: "project", mine: DISABLE }) });
    await home.trust();
    expect(await home.adj("tools")).toMatchObject(printed("project"));
    expect(await home.adj("mine")).toMatchObject(unknown("mine"));
    expect((await home.adj("commands")).stdout).not.toMatch(/^mine /m);
  });

  test.each([
    ["user", "config", USER],
    ["project", "project/.adjutant", PROJECT],
  ])("that clashes with itself (%s) harms no other name", async (_, folder, file) => {
    const home = makeHome();
    home.write({
      [file]: yaml({ twice: "yaml", other: "other" }),
      [`${folder}/commands/twice.ts`]: "export default { description: 'T', run: () => ({}) };\n",
    });
    if (folder !== "config") await home.trust();
    const files = [join(home.folder, folder, "commands", "twice.ts"), join(home.folder, file)];
    const shown = files.map((path) => path.replace(`${home.project}/`, "")).join(", ");
    expect(await home.adj("twice")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: `adj: \`twice\` could not be loaded: \`twice\` is defined more than once: ${shown}; keep one of them\n`,
    });
    expect(await home.adj("other")).toMatchObject(printed("other"));
  });

  test("whose definition is broken is passed over, and that is said", async () => {
    const home = makeHome();
    home.write({
      [USER]: yaml({ deploy: "user" }),
      "project/.adjutant/commands/deploy.ts": "\nthrow new Error('not today');\n",
    });
    await home.trust();
    const problem = ".adjutant/commands/deploy.ts:2:7: it threw while it was loaded: not today";
    expect(await home.adj("deploy")).toMatchObject(
      printed("user", `adj: ${problem}; \`deploy\` of the user layer runs instead\n`),
    );
    rmSync(join(home.folder, USER));
    expect(await home.adj("deploy")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: `adj: \`deploy\` could not be loaded: ${problem}\n`,
    });
  });

  test.each(sampled(["trust", "run", "log", "hook"]))(
    "cannot take the program's word %s",
    async (word) => {
      const home = makeHome();
      home.write({
        [USER]: yaml({ [word]: "taken", other: "other" }),
        [PROJECT]: yaml({ [word]: DISABLE }),
      });
      await home.trust();
      const { stdout } = await home.adj("commands");
      for (const [layer, path] of [
        ["user", join(home.folder, USER)],
        ["project", join(home.folder, PROJECT)],
      ])
        expect([layer, stdout]).toEqual([
          layer,
          expect.stringContaining(
            `${path}:1:1: \`${word}\` belongs to the program and cannot be defined`,
          ),
        ]);
      expect(await home.adj("other")).toMatchObject(printed("other"));
      expect((await home.adj(word)).stdout).not.toContain("taken");
    },
  );
});

describe("a project that nobody trusted", () => {
  test("runs nothing of its own, and says so in one line", async () => {
    const home = makeHome();
    home.write({ [USER]: yaml({ mine: "user" }), [PROJECT]: yaml({ theirs: "project" }) });
    expect(await home.adj("mine")).toMatchObject(printed("user", UNTRUSTED));
    expect(await home.adj("--quiet", "mine")).toMatchObject(printed("user"));
    expect(await home.adj("nobodys")).toMatchObject(unknown("nobodys"));
    expect(await home.adj("theirs")).toMatchObject({
      exitCode: 126,
      stdout: "",
      stderr: `adj: \`theirs\` is a command of the project \`${home.project}\`, which is not trusted; ${TRUST_HINT}\n`,
    });
    expect((await home.adj("commands")).stdout).toMatch(
      /\nthis project is not trusted, so its commands are not listed; see `adj trust`\n$/,
    );
  });

  test("is not trusted by a hash that is not its own", async () => {
    const home = makeHome();
    home.write({ [PROJECT]: yaml({ theirs: "project" }) });
    const { exitCode, stderr } = await home.adj("trust", "--hash", "0".repeat(64));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 126,
      stderr: expect.stringMatching(
        /^adj: `[^`]+` cannot be trusted: its hash is `[0-9a-f]{64}`, not the one that was given; .+\n$/,
      ),
    });
    expect(await home.adj("theirs")).toMatchObject({ exitCode: 126 });
  });
});

describe("a trusted project that changed", () => {
  const write = (home: Home, words: string) => home.write({ [PROJECT]: yaml({ build: words }) });

  test("runs what was trusted, and every state that was trusted once is known again", async () => {
    const home = makeHome();
    write(home, "first");
    await home.trust();
    write(home, "second");
    expect(await home.adj("build")).toMatchObject(printed("first", CHANGED));
    expect((await home.adj("trust", "--diff")).stdout).toContain("second");
    await home.trust();
    expect(await home.adj("build")).toMatchObject(printed("second"));
    write(home, "first");
    expect(await home.adj("build")).toMatchObject(printed("first"));
    write(home, "third");
    expect(await home.adj("build")).toMatchObject(printed("first", CHANGED));
    write(home, "second");
    expect(await home.adj("build")).toMatchObject(printed("second"));
  });

  test("keeps a command that was removed, and does not get one that was added", async () => {
    const home = makeHome();
    write(home, "first");
    await home.trust();
    home.write({ [PROJECT]: yaml({ added: "added" }) });
    expect(await home.adj("build")).toMatchObject(printed("first", CHANGED));
    expect(await home.adj("added")).toMatchObject({
      exitCode: 126,
      stdout: "",
      stderr: `adj: \`added\` is a command of the project \`${home.project}\`, which is not trusted; it is newer than what you trusted; ${TRUST_HINT}\n`,
    });
  });

  test("runs the copy of a file of code, not the file", async () => {
    const home = makeHome();
    const file = "project/.adjutant/commands/code.ts";
    const code = (words: string) =>
      `import { ok } from "adjutant";\nexport default { description: "C", run: () => ok("${words}") };\n`;
    home.write({ [file]: code("trusted") });
    await home.trust();
    expect(await home.adj("code")).toMatchObject(printed("trusted"));
    home.write({ [file]: code("changed") });
    expect(await home.adj("code")).toMatchObject(printed("trusted", CHANGED));
    rmSync(join(home.folder, file));
    expect(await home.adj("code")).toMatchObject(printed("trusted", CHANGED));
  });
});
