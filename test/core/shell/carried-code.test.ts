import { describe, expect, it } from "vitest";
import { analyzeLine } from "../../../src/core/shell/analyze-line.ts";

const commandsOf = (line: string): string[] => analyzeLine(line).commands.map(({ text }) => text);

describe("what an interpreter is handed by the rest of the line is read", () => {
  it.each([
    `echo "import os; os.system('git reset --hard')" | python3`,
    `python3 < <(echo "import os; os.system('git reset --hard')")`,
    "cat <<'E' | perl\nsystem('git reset --hard')\nE",
    `printf '%s' "require('child_process').execSync('git reset --hard')" > x.js; node ./x.js`,
    `echo "import os; os.system('git reset --hard')" | tee x.py; python3 x.py`,
  ])("%s", (line) => {
    expect(commandsOf(line)).toContain("git reset --hard");
  });

  it("and left alone where the code stands with the interpreter", () => {
    expect(commandsOf(`echo "system('git reset --hard')" | python3 -c 'import sys'`)).not.toContain(
      "git reset --hard",
    );
  });
});

describe("a program with its words in a list is a command", () => {
  it.each([
    [`python3 -c "import subprocess as s; s.run(['git','reset','--hard'])"`, "git reset --hard"],
    [`node -e "spawnSync('git', ['clean', '-fd'])"`, "git clean -fd"],
    [`perl -e 'exec "git", "reset", "--hard"'`, "git reset --hard"],
  ])("%s", (line, command) => {
    expect(commandsOf(line)).toContain(command);
  });

  it("that hides what it runs where there are more of them than are read", () => {
    const calls = "run(['git', 'status']);".repeat(60);
    expect(analyzeLine(`python3 -c "${calls}"`).unresolved).not.toEqual([]);
    expect(analyzeLine(`python3 -c "${calls.slice(0, 230)}"`).unresolved).toEqual([]);
  });

  it("of which more is known only when it runs where a word is no text", () => {
    const { commands } = analyzeLine(`python3 -c "subprocess.run(['git', 'push', *more])"`);
    expect(commands.find(({ text }) => text === "git push")?.takesMoreWords).toBe(true);
  });
});

describe("a subscript in quotes that one of the shell's own commands evaluates hides what it runs", () => {
  it.each(["let 'a[$(x)]'", "declare -i n='a[$(x)]'", "test -v 'a[$(x)]'", "read 'a[$(x)]' <<< y"])(
    "%s",
    (line) => {
      expect(analyzeLine(line).unresolved).not.toEqual([]);
    },
  );

  it("and text that only looks so does not", () => {
    expect(analyzeLine("export PROMPT='$(date) > '").unresolved).toEqual([]);
  });
});

it("a function runs where the line is, as long as nothing moves", () => {
  const foldersOf = (line: string) =>
    analyzeLine(line).commands.find(({ words }) => words[0]?.text === "cat")?.folders;
  expect(foldersOf("f() { cat x; }; f")).toEqual(["."]);
  expect(foldersOf("f() { cat x; }; cd y; f")).toEqual([null]);
});
