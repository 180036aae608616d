// The fall-back for all: the real CLIs with a run for each prompt, against the scripted model.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resumeByRun } from "../../../src/agents/run/resumed-conversation.ts";
import { adapterOf } from "../../support/agents.ts";
import { findLabCli, LAB_AGENTS, type LabAgent, missingMessage } from "../lab.ts";
import { prepareTurns, sendTurn } from "./drive-turns.ts";

interface Speaker {
  readonly model: string;
  /** Another one, as it is written and as it reaches the model's server. */
  readonly other: string;
  readonly asked: string;
  readonly unknown: string;
}

const UUID = "0b7c2f60-1c1f-4c38-8a4b-1f9f3a1f2a11";

// biome-ignore format: a table, one agent a line
const SPEAKERS: Readonly<Record<LabAgent, Speaker>> = {
  "claude-code": { model: "claude-opus-5-5", other: "claude-haiku-4-5", asked: "claude-haiku-4-5", unknown: UUID },
  codex: { model: "gpt-5.5", other: "gpt-5.4", asked: "gpt-5.4", unknown: UUID },
  gemini: { model: "gemini-2.5-flash", other: "gemini-2.5-pro", asked: "gemini-2.5-pro", unknown: UUID },
  opencode: { model: "sim/sim-model", other: "sim/sim-model", asked: "sim-model", unknown: "ses_0123456789abcdefghijklmnop" },
  copilot: { model: "sim-model", other: "other-model", asked: "other-model", unknown: UUID },
  qwen: { model: "sim-model", other: "other-model", asked: "other-model", unknown: UUID },
};

const SCENARIO = `
turns:
  - { text: One. }
  - { text: I write., tool_calls: [{ tool: write, path: notes.txt, content: alpha }] }
  - { text: Three. }
  - { text: Four. }`;

describe.each(LAB_AGENTS)("%s with a run for each prompt", (agent) => {
  const cli = findLabCli(agent);
  if (cli === null) return test.skip(missingMessage(agent));
  const { model, other, asked, unknown } = SPEAKERS[agent];

  test("keeps the thread, is told its model, changes nothing unasked, knows no strange id", async () => {
    const way = resumeByRun(adapterOf(agent));
    const turns = await prepareTurns({ cli, way, scenario: SCENARIO });
    const conversation = await turns.open();
    const first = await sendTurn(conversation, "first ALPHA", { model });
    expect(first.ending, first.account).toEqual({ kind: "ended" });
    expect(first.said).toContain("One.");
    const second = await sendTurn(conversation, "write it", { model });
    expect(["ended", "lost"], second.account).toContain(second.ending.kind);
    expect(existsSync(join(turns.workspace, "notes.txt"))).toBe(false);
    const third = await sendTurn(conversation, "third", { model: other });
    expect(third.ending, third.account).toEqual({ kind: "ended" });
    const last = turns.requests().at(-1);
    expect(last?.body).toContain("first ALPHA");
    expect(last?.request?.model).toBe(asked);
    expect(turns.left()).toEqual([]);
    const before = turns.requests().length;
    const strange = await sendTurn(await turns.open(unknown), "go on", { model });
    expect(strange.ending.kind, strange.account).toBe("forgotten");
    expect(strange.events).toEqual([]);
    expect(turns.requests()).toHaveLength(before);
  });
});
