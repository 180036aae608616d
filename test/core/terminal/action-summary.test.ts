import { describe, expect, test } from "vitest";
import { readCommonFlags } from "../../../src/core/terminal/invocation.ts";
import { openTestProgram, textOf } from "../../support/program-of-commands.ts";

const NO_OPTIONS = {
  json: false,
  yes: false,
  quiet: false,
  debug: false,
  color: "auto",
  session: null,
} as const;

const help = async (...words: string[]) => {
  const outcome = await openTestProgram().run(["help", ...words]);
  return `${textOf(outcome)}${outcome.result.errorOutput ?? ""}`;
};

describe("help on one action of a command", () => {
  test("has what concerns it and nothing else", async () => {
    const report = await help("bench", "report");
    expect(report).toContain("usage: adj bench report [words…] [flags]");
    for (const flag of ["--html", "--fail-if", "--store"]) expect(report).toContain(flag);
    for (const flag of ["--repeat", "--oracle", "--labels"]) expect(report).not.toContain(flag);
    expect(report).toContain("adj bench report --html report.html");
    expect(report).not.toContain("adj bench compare A B");
  });

  test("knows the words of a closed list, and a suite's file", async () => {
    expect(await help("agent", "list")).toContain("usage: adj agent list [subject]");
    expect(await help("bench", "suite.yaml")).toContain("--repeat");
  });

  test("is what `--help` behind the action shows", async () => {
    const found = await openTestProgram().program.resolve("bench");
    const summary = found.kind === "found" ? found.entry.summary : null;
    const asked = (...words: string[]) =>
      readCommonFlags(summary, { name: "bench", words, options: NO_OPTIONS });
    expect(asked("report", "--help")).toMatchObject({ name: "help", words: ["bench", "report"] });
    expect(asked("-h", "report")).toMatchObject({ name: "help", words: ["bench", "report"] });
    expect(asked("mine.yaml", "-h")).toMatchObject({ name: "help", words: ["bench"] });
  });

  test.each([
    [["bench", "reprot"], "`bench`: it has no `reprot`; did you mean `adj help bench report`?"],
    [
      ["agent", "zzzzzzz"],
      "`agent`: it has no `zzzzzzz`; it has `list`, `run`, `log`, `normalize`",
    ],
    [["model", "opus"], "`model`: it has no `opus`; see `adj help model`"],
  ])("adj help %j says what there is", async (words, says) => {
    expect(await help(...words)).toBe(says);
  });
});
