import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS, adapterOf } from "../../support/agents.ts";
import {
  linesOf,
  openTestProgram,
  type TestProgram,
  textOf,
} from "../../support/program-of-commands.ts";
import { endedTurn } from "../ended-turn.ts";

const configOf = ({ configDir }: TestProgram) => join(configDir, "config.yaml");
const changesOf = ({ program }: TestProgram) =>
  [...program.audit.read({ types: ["ModelChanged", "ProviderChanged"] })].map(({ type, data }) => [
    type,
    data.from,
    data.to,
  ]);
const stateOf = async (opened: TestProgram) => {
  const outcome = await opened.run(["provider"]);
  const model = await opened.run(["model"]);
  return [outcome.result.metadata?.agent, model.result.metadata?.model];
};

describe("model", () => {
  test("says that none is chosen in a new session", async () => {
    const outcome = await openTestProgram().run(["model"]);
    expect(outcome.kind).toBe("ok");
    expect(outcome.result.metadata).toEqual({ model: null, source: "none", models: null });
  });

  test("switches for this session, with one event, and shows it from then on", async () => {
    const opened = openTestProgram();
    await opened.run(["provider", "claude-code"]);
    const outcome = await opened.run(["model", "opus"]);
    expect(linesOf(outcome)[0]).toBe("model is now opus");
    expect(linesOf(await opened.run(["model"]))).toEqual(["opus (from this session)"]);
    expect(changesOf(opened)).toEqual([
      ["ProviderChanged", null, "claude-code"],
      ["ModelChanged", null, "opus"],
    ]);
    expect(existsSync(configOf(opened))).toBe(false);
  });

  test.each([
    ["claude-code", "sonet", "must be `opus`, `sonnet`, `haiku`"],
    ["claude-code", "gpt-5", "must be `opus`, `sonnet`, `haiku`"],
    ["opencode", "opus", "must be a provider and a model"],
    ["codex", "--flag", "must be the name of a model"],
    ["command", "large", "`command` has no control for it"],
  ])("refuses what a run of %s would refuse: `%s`", async (agent, model, rule) => {
    const opened = openTestProgram();
    await opened.run(["provider", agent]);
    const outcome = await opened.run(["model", "--", model]);
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { class: "Agent", code: "ModelUnknown", hint: expect.stringContaining(rule) },
    });
    expect(await stateOf(opened)).toEqual([agent, null]);
  });

  test.each(ADAPTERS.map(({ name }) => [name]))(
    "what it accepts for %s, the agent's own check accepts",
    async (agent) => {
      const opened = openTestProgram();
      await opened.run(["provider", agent]);
      const adapter = adapterOf(agent);
      const place = { agentVersion: null, isRoot: false, env: {} };
      const own = agent === "acp" || agent === "command" ? { argv: ["cat"] } : {};
      for (const model of ["opus", "gpt-5", "some/model", "a b", "claude-x"]) {
        const { kind } = await opened.run(["model", model]);
        const check = adapter.checkConfig({ prompt: "x", model, ...own }, place);
        expect([model, kind === "ok"]).toEqual([model, check.kind === "valid"]);
      }
    },
  );

  test("is checked against the list of an agent that gives one", async () => {
    const opened = openTestProgram();
    const program = join(opened.folder, "opencode");
    writeFileSync(program, "#!/bin/sh\necho some/large; echo some/small\n", { mode: 0o755 });
    const env = { ADJ_AGENT_OPENCODE: program, PATH: process.env.PATH ?? "" };
    await opened.run(["provider", "opencode"], { env });
    const refused = await opened.run(["model", "some/smal"], { env });
    expect(refused.error).toMatchObject({ code: "ModelUnknown" });
    expect(refused.error?.message).toContain("did you mean `some/small`?");
    const accepted = await opened.run(["model", "some/small"], { env });
    expect(accepted.result.metadata).toMatchObject({ model: "some/small", warnings: [] });
    expect(linesOf(await opened.run(["model"], { env }))).toContain(
      "opencode has: some/large, some/small",
    );
  });

  test("--save changes the saved default and leaves the session alone", async () => {
    const opened = openTestProgram();
    writeFileSync(configOf(opened), "# mine\nagent: claude-code\n");
    await opened.run(["model", "sonnet"]);
    const outcome = await opened.run(["model", "opus", "--save"]);
    expect(outcome.kind).toBe("ok");
    expect(textOf(outcome)).toContain("this session keeps `sonnet`");
    expect(readFileSync(configOf(opened), "utf8")).toBe(
      "# mine\nagent: claude-code\nmodel: opus\n",
    );
    expect(await stateOf(opened)).toEqual(["claude-code", "sonnet"]);
    const reset = await opened.run(["model", "--reset"]);
    expect(textOf(reset)).toBe("opus (from the settings)");
  });

  test("--save without a name saves the session's own, or says that there is none", async () => {
    const opened = openTestProgram();
    const none = await opened.run(["model", "--save"]);
    expect(none).toMatchObject({ kind: "rejected", error: { code: "ArgumentsInvalid" } });
    await opened.run(["model", "opus"]);
    await opened.run(["model", "--save"]);
    expect(readFileSync(configOf(opened), "utf8")).toBe("model: opus\n");
  });

  test("a variable counts over the session, and switching says so", async () => {
    const opened = openTestProgram();
    const env = { ADJ_MODEL: "fixed" };
    const outcome = await opened.run(["model", "opus"], { env });
    expect(textOf(outcome)).toContain("warning: `ADJ_MODEL` is set and counts over the session");
    expect(textOf(await opened.run(["model"], { env }))).toBe("fixed (from the environment)");
    expect(textOf(await opened.run(["model"]))).toBe("opus (from this session)");
  });
});

describe("provider", () => {
  test("shows what is known and what is chosen", async () => {
    expect((await openTestProgram().run(["provider"])).result.metadata).toEqual({
      agent: null,
      source: "none",
      known: ADAPTERS.map(({ name }) => name),
    });
  });

  test("refuses an agent that is not known, with the nearest", async () => {
    const outcome = await openTestProgram().run(["provider", "codx"]);
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "AgentUnknown" } });
    expect(outcome.error?.message).toContain("did you mean `codex`?");
  });

  test("refuses an agent without structured output once a schema is set", async () => {
    const opened = openTestProgram();
    await opened.run(["params", 'output_schema={"type":"object"}']);
    const outcome = await opened.run(["provider", "gemini"]);
    expect(outcome.error).toMatchObject({ class: "Agent", code: "CapabilityMissing" });
    expect(outcome.error?.message).toContain("structured-output");
    expect(await stateOf(opened)).toEqual([null, null]);
    for (const agent of ["claude-code", "codex", "qwen"])
      expect((await opened.run(["provider", agent])).kind).toBe("ok");
  });

  test("refuses an agent without tools once a turn called one, and one without images", async () => {
    const opened = openTestProgram();
    await opened.run(["provider", "command"]);
    endedTurn(opened, { content: "look at [image]", hasToolCall: true });
    const outcome = await opened.run(["provider", "command"]);
    expect(outcome.error?.message).toMatch(/lacks .*: tools, images$/);
    expect((await opened.run(["provider", "acp"])).error?.message).toMatch(/: images$/);
    const accepted = await opened.run(["provider", "codex"]);
    expect(accepted.result.metadata?.warnings).toEqual([]);
  });

  test("refuses an agent that refuses the session's model, and switches both at once", async () => {
    const opened = openTestProgram();
    await opened.run(["provider", "codex", "--model", "gpt-5"]);
    const refused = await opened.run(["provider", "claude-code"]);
    expect(refused.error).toMatchObject({ code: "ModelUnknown" });
    expect(refused.error?.hint).toContain("adj provider claude-code --model NAME");
    expect(await stateOf(opened)).toEqual(["codex", "gpt-5"]);
    expect((await opened.run(["provider", "claude-code", "--model", "opus"])).kind).toBe("ok");
    expect(await stateOf(opened)).toEqual(["claude-code", "opus"]);
  });

  test("says which params the new agent has no place for, and keeps them", async () => {
    const opened = openTestProgram();
    await opened.run(["provider", "claude-code"]);
    await opened.run(["params", "max_turns=3", "effort=high"]);
    const outcome = await opened.run(["provider", "codex"]);
    expect(outcome.result.metadata?.warnings).toEqual([
      "param `max_turns` is left out: `codex` has no place for `max_turns`",
    ]);
    expect((await opened.run(["params"])).result.metadata?.params).toEqual({
      effort: "high",
      max_turns: 3,
    });
  });

  test("warns of a preferred capability that is missing and of a model it cannot check", async () => {
    const opened = openTestProgram();
    await opened.run(["model", "any"]);
    const outcome = await opened.run(["provider", "acp"]);
    expect(outcome.result.metadata?.warnings).toEqual([
      "`acp` lacks `hooks`",
      "`acp` cannot list its models, so `any` was not checked",
    ]);
  });

  test("--save changes the saved default alone", async () => {
    const opened = openTestProgram();
    await opened.run(["provider", "codex", "--save"]);
    expect(readFileSync(configOf(opened), "utf8")).toBe("agent: codex\n");
    expect(changesOf(opened)).toEqual([]);
    expect(textOf(await opened.run(["provider"]))).toContain("codex (from the settings)");
  });
});

test("a broken settings file is named, and nothing is written to it", async () => {
  const opened = openTestProgram();
  writeFileSync(configOf(opened), "modle: opus\n");
  const outcome = await opened.run(["model", "opus", "--save"]);
  expect(outcome.error).toMatchObject({ class: "Config", code: "FileInvalid" });
  expect(readFileSync(configOf(opened), "utf8")).toBe("modle: opus\n");
});
