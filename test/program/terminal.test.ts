// A person at a real terminal: asked, answered, and shown no more than fits.
import { mkdirSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { ADJ, type Home, makeHome, type Printed, type Started, start } from "./adj.ts";

const FILES: Readonly<Record<string, string>> = {
  "config/commands.yaml": `
wipe: { description: Remove everything, argv: [echo, gone], safety: destructive }
seat: { description: Look around, shell: sh, command: "test -t 0 && test -t 1 && test -t 2 && echo at a terminal" }
wait: { description: Wait for a signal, shell: sh, command: "echo ready; exec sleep 600" }
`,
  "config/commands/ask.js": `import { ok } from "adjutant";
export default {
  description: "Ask for a name and a colour",
  run: async (_, { ask, isInteractive }) => {
    const name = await ask.input("name?");
    const colour = await ask.select("colour?", ["red", "green", "blue"]);
    return ok(JSON.stringify({ name, colour, isInteractive }));
  },
};
`,
};

const GREETING = `---
description: Greet somebody
agent: command
argv: [cat]
inputs:
  who: { description: whom to greet, required: true }
  tone: { type: select, options: [warm, cool], required: true, description: in which tone }
  token: { type: secret, required: true, description: the token }
---
Greet {{ who }}, {{ tone }}{% if token %}, with a token{% endif %}.
`;

function makeSeat(): Home {
  const home = makeHome();
  home.write(FILES);
  return home;
}

/** \`script\` gives the program a terminal of its own; what is typed is sent when something was shown. */
function sit(home: Home, line: string, columns = 100): Started {
  const typed = `stty rows 30 cols ${columns}; exec ${ADJ} ${line}`;
  const place = { cwd: home.project, env: { ...home.env, TERM: "xterm" }, stdin: null };
  return start("script", ["-qefc", typed, "/dev/null"], place);
}

async function answer(
  { child, printed, ended }: Started,
  ...keys: readonly (readonly [string, string])[]
): Promise<Printed> {
  for (const [shown, key] of keys) {
    await printed(shown);
    child.stdin.write(key);
  }
  const end = await ended;
  return { ...end, stdout: plain(end.stdout) };
}

/** Without colours, moves of the cursor and carriage returns. */
const plain = (text: string): string => stripVTControlCharacters(text).replaceAll("\r", "");

const lastLine = ({ stdout }: Printed): string => stdout.trimEnd().split("\n").at(-1) ?? "";

test("a Markdown command asks for the inputs it lacks, and shows no secret", async () => {
  const home = makeSeat();
  home.write({ "config/commands/greet.md": GREETING });
  const printed = await answer(
    sit(home, "greet"),
    ["whom to greet", "Ada\r"],
    ["in which tone", "\u001b[B\r"],
    ["the token", "sesame-7431\r"],
  );
  expect(printed.exitCode).toBe(0);
  expect(lastLine(printed)).toBe("Greet Ada, cool, with a token.");
  expect(printed.stdout).not.toContain("sesame-7431");
  expect(JSON.stringify(await home.events())).not.toContain("sesame-7431");
});

describe("a destructive command", () => {
  const QUESTION = "run `wipe`? it is marked destructive";

  test.each(
    sampled([
      ["y", 0, "gone"],
      ["n", 126, "adj: `wipe` was declined"],
      ["\r", 126, "adj: `wipe` was declined"],
      ["\u0003", 130, "adj: `wipe` was cancelled"],
      ["\u001b", 130, "adj: `wipe` was cancelled"],
    ]),
  )("asks first: %j → %i", async (key, exitCode, line) => {
    const home = makeSeat();
    const printed = await answer(sit(home, "wipe"), [QUESTION, key]);
    expect([printed.exitCode, lastLine(printed)]).toEqual([exitCode, line]);
    const events = await home.events();
    expect(events.map(({ type }) => type)).toEqual([
      "CommandDispatched",
      "InteractionRaised",
      ...(exitCode === 0 || key === "n" || key === "\r" ? ["InteractionAnswered"] : []),
      "CommandResulted",
    ]);
  });

  test("does not ask when the word was given", async () => {
    const printed = await answer(sit(makeSeat(), "--yes wipe"));
    expect(printed).toMatchObject({ exitCode: 0, stdout: "gone\n" });
  });

  test("is not asked for below an agent", async () => {
    const home = makeSeat();
    const env = { ...home.env, CLAUDECODE: "1" };
    const printed = await answer(sit({ ...home, env }, "--yes wipe"));
    expect(printed).toMatchObject({
      exitCode: 126,
      stdout:
        "adj: `wipe` needs a person's consent and there is nobody to ask; run it yourself, outside the agent\n",
    });
  });
});

describe("trust", () => {
  const project = { "project/.adjutant/commands.yaml": "x: { description: X, argv: [echo, x] }\n" };

  test("lists projects no wider than the terminal, with the beginning of the hash", async () => {
    const home = makeSeat();
    home.write(project);
    await home.trust();
    // A path is not cut, and the hash is when there is no room for all of it.
    const width = home.project.length + 50;
    const { stdout } = await answer(sit(home, "trust --list", width));
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^PROJECT +TRUSTED +FILES +HASH$/),
      expect.stringMatching(/^\S+ \* .* 1 +[0-9a-f]+…$/),
    ]);
    expect(stdout.split("\n").filter((line) => line.length > width)).toEqual([]);
  });

  test.each(
    sampled([
      ["y", 0],
      ["n", 126],
    ]),
  )("is asked for: %j", async (key, exitCode) => {
    const home = makeSeat();
    home.write(project);
    const printed = await answer(sit(home, "trust"), [`trust 1 file of ${home.project}?`, key]);
    expect(printed.exitCode).toBe(exitCode);
    expect(printed.stdout).toContain("  added    .adjutant/commands.yaml\n");
    expect(await home.adj("x")).toMatchObject({ exitCode: exitCode === 0 ? 0 : 126 });
  });
});

describe("what others wrote moves no cursor", () => {
  const HOSTILE = `
loud: { description: "L\\e[2K\\e]0;x\\a\\u202E", argv: [printf, "\\e[2Kloud"] }
`;
  const MOVES = ["\u001b[2K", "\u001b]", "\u202e"];

  test.each(
    sampled([
      ["help", "\\u{1b}[2K"],
      ["commands", "\\u{1b}[2K"],
      ["help loud", "\\u{1b}[2K"],
      ["model $(printf 'm\\033[2K')", "model is now m\\u{1b}[2K"],
      ["model $(printf 'm\\033[2K')", "no agent is chosen, so `m\\u{1b}[2K`"],
      ["trust --revoke --color always", "project\\u{1b}[2K is not trusted"],
    ]),
  )("in what `adj %s` shows", async (line, shown) => {
    const home = makeSeat();
    const project = `${home.project}\u001b[2K`;
    mkdirSync(project);
    home.write({ "config/commands.yaml": HOSTILE });
    const { stdout } = await sit({ ...home, project }, line).ended;
    expect(stdout).toContain(shown);
    expect(MOVES.filter((move) => stdout.includes(move))).toEqual([]);
  });

  test("but a program's own output is as it is", async () => {
    const home = makeSeat();
    home.write({ "config/commands.yaml": HOSTILE });
    expect((await sit(home, "loud").ended).stdout).toContain("\u001b[2Kloud");
  });
});

describe("a command at a terminal", () => {
  test("puts its questions, and gets what was typed", async () => {
    const down = "\u001b[B";
    const printed = await answer(
      sit(makeSeat(), "ask"),
      ["name?", "Ada\r"],
      ["colour?", `${down}\r`],
    );
    expect(printed.exitCode).toBe(0);
    expect(JSON.parse(lastLine(printed))).toEqual({
      name: "Ada",
      colour: "green",
      isInteractive: true,
    });
  });

  test("lends the terminal to a program", async () => {
    const printed = await answer(sit(makeSeat(), "seat"));
    expect(printed).toMatchObject({ exitCode: 0, stdout: "at a terminal\n" });
  });

  test("leaves Ctrl-C to the program that has it", async () => {
    const home = makeSeat();
    const printed = await answer(sit(home, "wait"), ["ready", "\u0003"]);
    expect(printed.exitCode).toBe(130);
    expect((await home.events()).map(({ type }) => type)).toEqual([
      "CommandDispatched",
      "CommandResulted",
    ]);
  });

  test.each(
    sampled<[string, number]>([
      ["commands", 70],
      ["commands", 90],
      ["commands", 140],
      ["hooks list", 80],
      ["hooks list", 100],
    ]),
  )("draws the tables of %s %i columns wide", async (line, columns) => {
    const home = makeSeat();
    await home.adj("hooks", "init");
    const { stdout } = await answer(sit(home, line, columns));
    const lines = stdout.split("\n").filter((one) => !one.startsWith("warning: "));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(columns - 30);
  });
});
