import { describe, expect, test } from "vitest";
import { openTestProgram, textOf } from "../../support/program-of-commands.ts";

const run = async (...words: string[]) => {
  const opened = openTestProgram();
  const outcome = await opened.run(words, { env: { HOME: opened.folder, PATH: "/usr/bin:/bin" } });
  return {
    exitCode: outcome.result.exitCode,
    said: `${textOf(outcome)}${outcome.result.errorOutput ?? ""}`,
  };
};

const CAT = ["--set", 'argv=["cat"]'];

describe("adj agent run", () => {
  test("takes the words after the agent as the prompt", async () => {
    const { exitCode, said } = await run("agent", "run", "command", "say", "hi", ...CAT);
    expect({ exitCode, said: said.trim() }).toEqual({ exitCode: 0, said: "say hi" });
  });

  test("with a setting that the agent refuses is wrong usage", async () => {
    const { exitCode, said } = await run(
      "agent",
      "run",
      "command",
      "hi",
      ...CAT,
      "--set",
      "nothing=1",
    );
    expect(exitCode).toBe(2);
    expect(said).toContain("agent `command` failed: `nothing`: unknown key; see `adj agent log ");
  });

  test("of an agent that is not here leaves a log that says so", async () => {
    const opened = openTestProgram();
    const place = { env: { HOME: opened.folder, PATH: "/nowhere" } };
    const { result } = await opened.run(["agent", "run", "codex", "say hi"], place);
    expect(result.exitCode).toBe(127);
    const shown = await opened.run(["agent", "log"], place);
    expect(textOf(shown)).toContain("CODEX_CLI_NOT_FOUND");
    expect(textOf(shown)).toContain("say hi");
    expect(result.metadata).toMatchObject({
      log: { errors: [{ code: "CODEX_CLI_NOT_FOUND" }], execution: { exit_code: null } },
    });
  });

  test.each([
    [
      ["run", "command", "say hi", "--prompt", "say no", ...CAT],
      "`agent`: give the prompt as words or with `--prompt`, not both; see `adj help agent`",
    ],
    [["log", "3f2a", "more"], "`agent`: `log` takes no further words; see `adj help agent`"],
    [
      ["normalize", "codex", "one.jsonl", "two.jsonl"],
      "`agent`: `normalize` needs an agent and one file; `adj agent normalize gemini saved.jsonl`",
    ],
  ])("adj agent %j is refused", async (words, says) => {
    expect(await run("agent", ...words)).toEqual({ exitCode: 2, said: says });
  });
});
