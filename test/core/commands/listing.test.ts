import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { defineCommand } from "../../../src/core/command/definition.ts";
import type { FaultReport } from "../../../src/core/command/fault.ts";
import { type LayerEntry, layerOf } from "../../../src/core/command/registry.ts";
import { ok } from "../../../src/core/command/result.ts";
import { SUMMARY_DEFAULTS } from "../../../src/core/load/summary.ts";
import { linesOf, openTestProgram, person, textOf } from "../../support/program-of-commands.ts";

const command = (description: string) => defineCommand({ description, run: () => ok() });
const entry = (name: string, file: string, description = "A command"): LayerEntry => ({
  kind: "command",
  name,
  file,
  summary: { ...SUMMARY_DEFAULTS, name, description },
});
const problem: FaultReport = {
  class: "Config",
  code: "FileInvalid",
  message: "lint.ts:3:1: unexpected token",
  hint: "mend it",
};
const broken = (name: string): LayerEntry => ({
  kind: "broken",
  name,
  file: `/p/${name}.ts`,
  fault: problem,
});

describe("commands", () => {
  test("shows name, description, layer, file and what is hidden", async () => {
    const opened = openTestProgram({
      commands: { deploy: command("Deploy for me") },
      layers: [layerOf("project", [entry("deploy", "/p/deploy.ts", "Deploy for all")])],
    });
    const lines = linesOf(await opened.run(["commands"]));
    expect(lines[0]).toMatch(/^NAME +DESCRIPTION +LAYER +FILE +HIDES$/);
    const hidden = join(opened.configDir, "commands", "deploy.ts");
    expect(lines.find((line) => line.startsWith("deploy"))).toMatch(
      new RegExp(`^deploy +Deploy for all +project +/p/deploy.ts +user ${hidden}$`),
    );
    expect(lines.find((line) => line.startsWith("model"))).toMatch(/ bundled$/);
  });

  test("shows a project's file from the project's root, and a plugin by its package", async () => {
    const opened = openTestProgram();
    const file = join(opened.root, ".adjutant", "commands", "x.ts");
    const layers = [
      layerOf("plugin", [entry("y", "/n/y.js")], "acme"),
      layerOf("project", [entry("x", file)]),
    ];
    const other = openTestProgram({ layers });
    Object.assign(other.program, { root: opened.root });
    const lines = linesOf(await other.run(["commands"]));
    expect(lines.find((line) => line.startsWith("x "))).toContain(" .adjutant/commands/x.ts");
    expect(lines.find((line) => line.startsWith("y "))).toContain("plugin acme");
  });

  test("shows broken ones with the reason, those passed over, and warnings", async () => {
    const opened = openTestProgram({
      layers: [layerOf("project", [broken("lint"), broken("model")])],
      warnings: [{ ...problem, message: "the project is not trusted", hint: "run `adj trust`" }],
    });
    const outcome = await opened.run(["commands"]);
    const lines = linesOf(outcome);
    expect(lines).toContain("broken: lint: lint.ts:3:1: unexpected token; mend it");
    expect(lines).toContain(
      "passed over: model: lint.ts:3:1: unexpected token; mend it; bundled is used instead",
    );
    expect(lines.at(-1)).toBe("the project is not trusted; run `adj trust`");
    expect(outcome.result.metadata).toMatchObject({
      broken: [{ name: "lint", passedOver: [{ file: "/p/lint.ts", problem }] }],
      warnings: [{ code: "FileInvalid" }],
    });
  });

  test("says when a project's commands are missing because nobody trusts them", async () => {
    const opened = openTestProgram();
    const file = join(opened.root, ".adjutant", "commands", "x.ts");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "one");
    const lastLine = async () => linesOf(await opened.run(["commands"])).at(-1);
    expect(await lastLine()).toContain("this project is not trusted");
    await opened.run(["trust"], person(true));
    expect(await lastLine()).not.toContain("this project");
    writeFileSync(file, "two");
    expect(await lastLine()).toContain("this project changed since it was trusted");
    expect((await opened.run(["commands"])).result.metadata?.trust).toBe("changed");
  });

  test("shows one by its alias, and refuses an unknown one", async () => {
    const aliased = defineCommand({ description: "x", aliases: ["d"], run: () => ok() });
    const opened = openTestProgram({ commands: { deploy: aliased } });
    const outcome = await opened.run(["commands", "d"]);
    expect(outcome.result.metadata?.commands).toMatchObject([{ name: "deploy", aliases: ["d"] }]);
    expect(await opened.run(["commands", "deplox"])).toMatchObject({
      kind: "rejected",
      error: { code: "CommandUnknown" },
    });
  });

  test("fits a narrow screen and leaves a pipe uncut", async () => {
    const long = "a description that goes on for quite a while and then some more";
    const opened = openTestProgram({ commands: { deploy: command(long) } });
    const narrow = linesOf(await opened.run(["commands"], { env: { COLUMNS: "70" } }));
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(70);
    expect(textOf(await opened.run(["commands"]))).toContain(long);
  });

  test("lists 10,000, each with its own line", async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `c${at}`);
    const layer = layerOf(
      "project",
      names.map((name) => entry(name, `/p/${name}.ts`)),
    );
    const lines = linesOf(await openTestProgram({ layers: [layer] }).run(["commands"]));
    const listed = new Set(lines.map((line) => line.split(" ")[0]));
    expect(names.every((name) => listed.has(name))).toBe(true);
  });
});

describe("help", () => {
  test("without a name groups the commands and shows the program's flags", async () => {
    const opened = openTestProgram({ commands: { deploy: command("Deploy") } });
    const outcome = await opened.run(["help"]);
    const lines = linesOf(outcome);
    const titles = ["yours", "start here", "commands", "session", "consent", "record"];
    const places = titles.map((title) => lines.indexOf(title));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(lines.find((line) => line.startsWith("  deploy"))).toBe("  deploy  Deploy");
    expect(lines).toContain("  -V, --version       print the version");
    expect(outcome.result.metadata?.version).toBe("1.2.3");
  });

  test("with a name shows how it is used and where it is defined", async () => {
    const opened = openTestProgram();
    const outcome = await opened.run(["help", "params"]);
    expect(textOf(outcome)).toContain("usage: adj params [path=value …] [flags]");
    expect(textOf(outcome)).toContain("defined in: bundled");
    expect(outcome.result.metadata).toMatchObject({ summary: { name: "params" } });
  });

  test.each([
    ["unknwon", "CommandUnknown", 127],
    ["lint", "CommandBroken", 2],
  ])("of `%s` is %s", async (name, code, exitCode) => {
    const opened = openTestProgram({ layers: [layerOf("project", [broken("lint")])] });
    const outcome = await opened.run(["help", name]);
    expect(outcome).toMatchObject({ kind: "rejected", error: { code }, result: { exitCode } });
  });

  test("explains `run`, which is no command", async () => {
    expect(textOf(await openTestProgram().run(["help", "run"]))).toContain("adj run NAME");
  });

  test("of every bundled command has a description, and its examples are its own lines", async () => {
    const opened = openTestProgram();
    const { commands } = (await opened.run(["commands"])).result.metadata as {
      commands: { name: string }[];
    };
    for (const { name } of commands) {
      const outcome = await opened.run(["help", name]);
      expect(outcome.kind).toBe("ok");
      const { summary } = outcome.result.metadata as { summary: { examples: string[] } };
      for (const example of summary.examples) expect(example).toContain(`adj ${name}`);
    }
  });
});

describe("reload", () => {
  test("says how many there are and leaves an event", async () => {
    const opened = openTestProgram({
      reload: () => ({ kind: "reloaded", commands: 7, problems: [problem] }),
    });
    const outcome = await opened.run(["reload"]);
    expect(linesOf(outcome)).toEqual([
      "reloaded 7 commands",
      "lint.ts:3:1: unexpected token; mend it",
    ]);
    const events = [...opened.program.audit.read({ types: ["CommandsReloaded"] })];
    expect(events.map(({ data }) => data)).toEqual([
      { kind: "reloaded", commands: 7, problems: ["FileInvalid"] },
    ]);
  });

  test("fails and says why where the old state is kept", async () => {
    const opened = openTestProgram({
      reload: () => ({ kind: "kept", commands: 3, problems: [problem] }),
    });
    const outcome = await opened.run(["reload"]);
    expect(outcome).toMatchObject({ kind: "failed", result: { exitCode: 1 } });
    expect(outcome.result.errorOutput).toContain("unexpected token");
  });
});
