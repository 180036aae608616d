import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { attempt, makePlace, makeProgram } from "./scripted-agent.ts";

const RECORDINGS = join(import.meta.dirname, "fixtures", "recordings");
const ID = "0199a213-81c0-7800-8aa1-bbab2a035a53";
const KEYS = { ANTHROPIC_API_KEY: "x", GEMINI_API_KEY: "x" };

/** Tokens or dollars, in what is told of the run. */
const A_FIGURE = /":[1-9]/;

/** The agent prints what the real one once printed. */
async function runRecorded(agent: string, recording: string, config: object) {
  const place = makePlace();
  const program = makeProgram(place, `cat '${join(RECORDINGS, recording, "stdout")}'`);
  const { log, events } = await attempt(place, { agent, program, config, env: KEYS });
  const told = events.filter(({ kind }) => kind === "usage");
  return JSON.stringify([log.usage, log.cost, told.map(({ kind: _, ...figures }) => figures)]);
}

describe("the usage of a run that goes on with a conversation", () => {
  test.each([
    ["claude-code", "claude-2.1.325/b-shell"],
    ["codex", "codex/b-shell"],
    ["qwen", "qwen-0.24.4/b-shell"],
  ])("is unknown for %s, which tells that of the whole conversation", async (agent, recording) => {
    expect(await runRecorded(agent, recording, {})).toMatch(A_FIGURE);
    expect(await runRecorded(agent, recording, { resume: ID })).not.toMatch(A_FIGURE);
  });

  test.each([
    ["gemini", "gemini/b-shell"],
    ["opencode", "opencode/b-shell"],
  ])("is its own for %s, which counts anew", async (agent, recording) => {
    expect(await runRecorded(agent, recording, { resume: ID })).toMatch(A_FIGURE);
  });
});
