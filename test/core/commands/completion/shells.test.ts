import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCRIPTS } from "../../../../src/core/commands/completion/scripts.ts";
import { openTestProgram, textOf } from "../../../support/program-of-commands.ts";
import { removeFolder } from "../../../support/temporary-folder.ts";
import { sampled } from "../../../support/tier.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "adj-completion-")));
const env = { HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}`, TERM: "dumb" };

beforeAll(() => {
  const program = join(import.meta.dirname, "fixtures", "completing-adj.ts");
  writeFileSync(join(folder, "adj"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(folder, "adj"), 0o755);
  for (const [shell, script] of Object.entries(SCRIPTS)) writeFileSync(join(folder, shell), script);
  mkdirSync(join(folder, "work"));
  writeFileSync(join(folder, "work", "a file.txt"), "");
});
afterAll(() => removeFolder(folder));

const run = (shell: string, args: readonly string[]): string[] =>
  execFileSync(shell, args, { env, cwd: join(folder, "work"), encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");

const isInstalled = (shell: string): boolean => {
  try {
    execFileSync(shell, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

test.each(["bash", "zsh", "fish"] as const)(
  "the script for %s is what the command prints",
  async (shell) => {
    expect(textOf(await openTestProgram().run(["completion", shell]))).toBe(SCRIPTS[shell]);
  },
);

test("another shell is refused with the ones there are", async () => {
  const outcome = await openTestProgram().run(["completion", "tcsh"]);
  expect(outcome.error?.message).toContain("must be one of `bash`, `zsh`, `fish`");
});

describe("bash", () => {
  const complete = (...words: string[]) => {
    const program = `source ${folder}/bash
      complete -p adj >/dev/null || exit 1
      shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _adj_complete
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run("bash", ["--noprofile", "--norc", "-c", program, "bash", "-", "adj", ...words]);
  };

  test.each(
    sampled<[string[], string[]]>([
      [["mode"], ["mode", "model"]],
      [["depl"], ["deploy"]],
      [["run", "sav"], ["save"]],
      [["--ses"], ["--session"]],
      [
        ["deploy", ""],
        ["dev", "prod"],
      ],
      [["deploy", "--level", "v"], ["very\\ low"]],
      [["log", "--type", "=", "ModelC"], ["ModelChanged"]],
      [["log", "--fol"], ["--follow"]],
      [["deploy", "--config", "a"], ["a file.txt"]],
      [["help", "para"], ["params"]],
      [["nothing-like-it-x", "--y"], []],
    ]),
  )("%j offers %j", (words, offered) => {
    expect(complete(...words)).toEqual(offered);
  });
});

describe.skipIf(!isInstalled("fish"))("fish, where it is installed", () => {
  const complete = (line: string) =>
    run("fish", [
      "--no-config",
      "-c",
      `source ${folder}/fish; complete -C ${JSON.stringify(line)}`,
    ]);

  test.each(
    sampled<[string, string[]]>([
      [
        "adj mode",
        [
          "mode\tShow or set how this session approves tools",
          "model\tShow or switch the model of this session",
        ],
      ],
      ["adj deploy ", ["dev", "prod"]],
      ["adj deploy --lev", ["--level\thow much: roughly"]],
      ["adj deploy --config a", ["a file.txt"]],
      ["adj log --type=ModelC", ["--type=ModelChanged"]],
    ]),
  )("%j offers %j", (line, offered) => {
    expect(complete(line).map((one) => one.trimEnd())).toEqual(offered);
  });
});

describe.skipIf(!isInstalled("zsh"))("zsh, where it is installed", () => {
  // What zsh's own functions are given; they need a terminal to do more.
  const complete = (...words: string[]) => {
    const program = `compdef() { registered=$2 }
      _describe() { print -rl -- "\${(@P)3}" }
      _files() { print files }
      compset() { true }
      source ${folder}/zsh
      [[ $registered == adj ]] || exit 1
      words=("$@"); CURRENT=$#; _adj`;
    return run("zsh", ["-f", "-c", program, "zsh", "adj", ...words]);
  };

  test.each(
    sampled<[string[], string[]]>([
      [["model"], ["model:Show or switch the model of this session"]],
      [["depl"], ["deploy:Deploy: to a place"]],
      [
        ["deploy", ""],
        ["dev:", "prod:"],
      ],
      [["deploy", "--level", "v"], ["very low:"]],
      [["deploy", "--config", "a"], ["files"]],
      [["log", "--type=ModelC"], ["--type=ModelChanged:"]],
    ]),
  )("%j offers %j", (words, offered) => {
    expect(complete(...words)).toEqual(offered);
  });
});
