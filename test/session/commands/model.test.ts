import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentCard } from "../../../src/agents/choice/cards.ts";
import { type Desk, linesOf, textOf } from "../../support/program-of-commands.ts";
import { openDeskWith } from "./known-agents.ts";

const AGENTS: readonly AgentCard[] = [
  { name: "claude-code", capabilities: ["hooks"], models: ["opus", "sonnet"], tools: [] },
  { name: "codex", capabilities: ["hooks"], models: ["gpt-5"], tools: [] },
  { name: "gemini", capabilities: [], models: null, tools: [] },
];

const configOf = ({ configDir }: Desk) => join(configDir, "config.yaml");
const changesOf = ({ program }: Desk) =>
  [...program.audit.read({ types: ["ModelChanged", "ProviderChanged"] })].map(({ type, data }) => [
    type,
    data.from,
    data.to,
  ]);
const stateOf = async (desk: Desk) => {
  const outcome = await desk.run(["provider"]);
  const model = await desk.run(["model"]);
  return [outcome.result.metadata?.agent, model.result.metadata?.model];
};

describe("model", () => {
  test("says that none is chosen in a new session", async () => {
    const outcome = await openDeskWith([]).run(["model"]);
    expect(outcome.kind).toBe("ok");
    expect(outcome.result.metadata).toEqual({ model: null, source: "none", models: null });
  });

  test("switches for this session, with one event, and shows it from then on", async () => {
    const desk = openDeskWith(AGENTS);
    await desk.run(["provider", "claude-code"]);
    const outcome = await desk.run(["model", "opus"]);
    expect(textOf(outcome)).toBe("model is now opus");
    const shown = await desk.run(["model"]);
    expect(linesOf(shown)).toEqual(["opus (from this session)", "claude-code has: opus, sonnet"]);
    expect(changesOf(desk)).toEqual([
      ["ProviderChanged", null, "claude-code"],
      ["ModelChanged", null, "opus"],
    ]);
    expect(existsSync(configOf(desk))).toBe(false);
  });

  test("refuses one that the agent does not have and changes nothing", async () => {
    const desk = openDeskWith(AGENTS);
    await desk.run(["provider", "claude-code", "--model", "opus"]);
    const outcome = await desk.run(["model", "sonet"]);
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { class: "Agent", code: "ModelUnknown" },
    });
    expect(outcome.error?.message).toContain("did you mean `sonnet`?");
    expect(await stateOf(desk)).toEqual(["claude-code", "opus"]);
  });

  test("accepts any where no agent is known, with a warning that says so", async () => {
    const desk = openDeskWith([]);
    await desk.run(["provider", "mine"]);
    const outcome = await desk.run(["model", "large"]);
    expect(linesOf(outcome)).toEqual([
      "model is now large",
      "warning: no agent is known, so `mine` was not checked",
    ]);
    expect(outcome.result.metadata).toMatchObject({ model: "large" });
  });

  test("--save changes the saved default and leaves the session alone", async () => {
    const desk = openDeskWith(AGENTS);
    writeFileSync(configOf(desk), "# mine\nagent: claude-code\n");
    await desk.run(["model", "sonnet"]);
    const outcome = await desk.run(["model", "opus", "--save"]);
    expect(outcome.kind).toBe("ok");
    expect(textOf(outcome)).toContain("this session keeps `sonnet`");
    expect(readFileSync(configOf(desk), "utf8")).toBe("# mine\nagent: claude-code\nmodel: opus\n");
    expect(await stateOf(desk)).toEqual(["claude-code", "sonnet"]);
    const reset = await desk.run(["model", "--reset"]);
    expect(textOf(reset)).toBe("opus (from the settings)");
  });

  test("--save without a name saves the session's own, or says that there is none", async () => {
    const desk = openDeskWith([]);
    const none = await desk.run(["model", "--save"]);
    expect(none).toMatchObject({ kind: "rejected", error: { code: "ArgumentsInvalid" } });
    await desk.run(["model", "opus"]);
    await desk.run(["model", "--save"]);
    expect(readFileSync(configOf(desk), "utf8")).toBe("model: opus\n");
  });

  test("a variable counts over the session, and switching says so", async () => {
    const desk = openDeskWith([]);
    const env = { ADJ_MODEL: "fixed" };
    const outcome = await desk.run(["model", "opus"], { env });
    expect(textOf(outcome)).toContain("warning: `ADJ_MODEL` is set and counts over the session");
    expect(textOf(await desk.run(["model"], { env }))).toBe("fixed (from the environment)");
    expect(textOf(await desk.run(["model"]))).toBe("opus (from this session)");
  });
});

describe("provider", () => {
  test("shows what is known and what is chosen", async () => {
    const desk = openDeskWith(AGENTS);
    expect((await desk.run(["provider"])).result.metadata).toEqual({
      agent: null,
      source: "none",
      known: ["claude-code", "codex", "gemini"],
    });
  });

  test("refuses an agent that is not known, with the nearest", async () => {
    const outcome = await openDeskWith(AGENTS).run(["provider", "codx"]);
    expect(outcome).toMatchObject({ kind: "failed", error: { code: "AgentUnknown" } });
    expect(outcome.error?.message).toContain("did you mean `codex`?");
  });

  test("refuses an agent that lacks what the session depends on", async () => {
    const desk = openDeskWith(AGENTS);
    await desk.run(["params", "output_schema=answer.json"]);
    const outcome = await desk.run(["provider", "codex"]);
    expect(outcome.error).toMatchObject({ class: "Agent", code: "CapabilityMissing" });
    expect(outcome.error?.message).toContain("structured-output");
    expect(await stateOf(desk)).toEqual([null, null]);
  });

  test("refuses an agent without the session's model, and switches both at once", async () => {
    const desk = openDeskWith(AGENTS);
    await desk.run(["provider", "claude-code", "--model", "opus"]);
    const refused = await desk.run(["provider", "codex"]);
    expect(refused.error).toMatchObject({ code: "ModelUnknown" });
    expect(refused.error?.hint).toContain("adj provider codex --model NAME");
    expect(await stateOf(desk)).toEqual(["claude-code", "opus"]);
    expect((await desk.run(["provider", "codex", "--model", "gpt-5"])).kind).toBe("ok");
    expect(await stateOf(desk)).toEqual(["codex", "gpt-5"]);
  });

  test("warns of a preferred capability that is missing and of a model it cannot check", async () => {
    const desk = openDeskWith(AGENTS);
    await desk.run(["model", "any"]);
    const outcome = await desk.run(["provider", "gemini"]);
    expect(outcome.result.metadata?.warnings).toEqual([
      "`gemini` lacks `hooks`",
      "`gemini` cannot list its models, so `any` was not checked",
    ]);
  });

  test("--save changes the saved default alone", async () => {
    const desk = openDeskWith(AGENTS);
    await desk.run(["provider", "codex", "--save"]);
    expect(readFileSync(configOf(desk), "utf8")).toBe("agent: codex\n");
    expect(changesOf(desk)).toEqual([]);
    expect(textOf(await desk.run(["provider"]))).toContain("codex (from the settings)");
  });
});

test("a broken settings file is named, and nothing is written to it", async () => {
  const desk = openDeskWith([]);
  writeFileSync(configOf(desk), "modle: opus\n");
  const outcome = await desk.run(["model", "opus", "--save"]);
  expect(outcome.error).toMatchObject({ class: "Config", code: "FileInvalid" });
  expect(readFileSync(configOf(desk), "utf8")).toBe("modle: opus\n");
});
