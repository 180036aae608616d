import { describe, expect, test } from "vitest";
import { commandOf } from "../../../src/bundled-summaries.ts";
import { actionsOf, narrowToAction } from "../../../src/core/terminal/action-summary.ts";
import { readCommonFlags } from "../../../src/core/terminal/invocation.ts";
import { loadAllBundled } from "../../../src/features.ts";
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
    expect(await help("agent", "list")).toContain("usage: adj agent list\n");
    expect(await help("bench", "suite.yaml")).toContain("--repeat");
  });

  test("says of an argument what it is with this one", async () => {
    expect(await help("agent", "log")).toContain(
      "[subject]  the run, by the beginning of its id; the last one by default\n",
    );
    expect(await help("bench", "remove")).toContain("--older <text>  all runs that began before");
    expect(await help("serve", "stop")).not.toContain("--idle");
  });

  test("is there for every action of every bundled command, with a sentence of its own", async () => {
    const { program } = openTestProgram();
    const summaries = (await loadAllBundled())
      .map((make) => make(() => program))
      .map((definition) => commandOf(definition, definition.name ?? "").summary);
    // What a value is set to, or the shell that a script is for, is no action.
    const acting = summaries.filter(({ name }) => !["completion", "mode"].includes(name));
    const narrowed = acting.flatMap((summary) =>
      actionsOf(summary)
        .filter((action) => action !== "suite.yaml")
        .map((action) => ({ summary, one: narrowToAction(summary, action) })),
    );
    expect(narrowed.length).toBeGreaterThan(40);
    for (const { summary, one } of narrowed) {
      expect(one?.description, one?.name).not.toBe(summary.description);
      const said = Object.values(one?.schema?.properties ?? {}).map((own) => own.description);
      for (const other of actionsOf(summary))
        expect(said.join("\n"), one?.name).not.toContain(`with \`${other}\``);
    }
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
