import { describe, expect, test } from "vitest";
import { EMPTY_SESSION, type SessionState } from "../../src/core/command/context.ts";
import {
  formatSessionManifest,
  isSessionName,
  makeSessionManifest,
  readSessionManifest,
} from "../../src/session/manifest.ts";
import { findMisfits, losesTurns, resumeState } from "../../src/session/resumption.ts";

const SECRET = `sk-ant-${"x1".repeat(20)}`;
const turn = (at: string, text = "hello") => ({ role: "user", text, at }) as const;
const STATE: SessionState = {
  agent: "codex",
  model: "gpt-5",
  params: { temperature: 0.25, "api.key": "env:HIDDEN_NAME" },
  workflow: null,
  mode: null,
  allow: [],
  turns: [turn("2026-11-05T14:00:00.000Z", `my key is ${SECRET}`)],
};
const FACTS = {
  name: "work",
  savedAt: new Date("2026-11-05T15:00:00Z"),
  sessionId: "p-1",
  root: "/project",
  commands: { deploy: "d1", lint: "l1" },
};
const manifest = makeSessionManifest(STATE, FACTS);

describe("a manifest", () => {
  test("comes back as it was written", () => {
    expect(readSessionManifest(formatSessionManifest(manifest))).toEqual({
      kind: "read",
      manifest,
    });
  });

  test("names params but holds none of their values, and no secret", () => {
    const text = formatSessionManifest(manifest);
    expect(text).toContain("temperature");
    expect(text).not.toContain("0.25");
    expect(text).not.toContain("HIDDEN_NAME");
    expect(text).not.toContain(SECRET);
    expect(text).toContain("my key is [secret]");
  });

  test.each([
    ["not JSON", "{", "it is not JSON"],
    ["a later version", '{"adjutant":2}', "it was written by a newer Adjutant"],
    ["something else", "[]", "it is not a session"],
    ["one with a wrong field", '{"adjutant":1,"name":7}', "`name` is missing or wrong"],
  ])("that is %s is refused", (_, text, problem) => {
    expect(readSessionManifest(text)).toEqual({
      kind: "unreadable",
      problem: expect.stringContaining(problem),
    });
  });
});

test.each([
  ["work", true],
  ["a.b-c_1", true],
  ["", false],
  ["../x", false],
  [".hidden", false],
  ["a/b", false],
  ["x".repeat(65), false],
])("%j as a session's name: %s", (name, isName) => {
  expect(isSessionName(name)).toBe(isName);
});

describe("resuming", () => {
  test("takes over all but params, which stay those of the session", () => {
    const current = { ...EMPTY_SESSION, params: { temperature: 1 } };
    expect(resumeState(manifest, current)).toEqual({
      agent: "codex",
      model: "gpt-5",
      workflow: null,
      mode: null,
      allow: [],
      turns: manifest.turns,
      params: { temperature: 1 },
    });
  });

  test("loses turns only where the manifest does not have them", () => {
    expect(losesTurns(manifest, EMPTY_SESSION)).toBe(false);
    expect(losesTurns(manifest, STATE)).toBe(false);
    const later = [...STATE.turns, turn("2026-11-05T16:00:00.000Z")];
    expect(losesTurns(manifest, { ...STATE, turns: later })).toBe(true);
    expect(losesTurns(manifest, { ...STATE, turns: [turn("other")] })).toBe(true);
  });

  test("reports a missing agent, changed and lost commands, and lost params", () => {
    const agents = [{ name: "claude-code", capabilities: [], models: null }];
    const now = { agents, commands: { deploy: "d2" }, params: { "api.key": "env:OTHER" } };
    expect(findMisfits(manifest, now)).toEqual([
      { kind: "agent", name: "codex", problem: "there is no such agent here" },
      { kind: "command", name: "deploy", problem: "it changed since the session was saved" },
      { kind: "command", name: "lint", problem: "it is gone" },
      { kind: "param", name: "temperature", problem: "its value was not saved; set it again" },
    ]);
  });

  test("reports nothing where all still fits", () => {
    const agents = [{ name: "codex", capabilities: ["resume"], models: ["gpt-5"] }];
    const now = { agents, commands: FACTS.commands, params: STATE.params };
    expect(findMisfits(manifest, now)).toEqual([]);
  });

  test("reports a model that the agent no longer has", () => {
    const agents = [{ name: "codex", capabilities: [], models: ["gpt-6"] }];
    const now = { agents, commands: FACTS.commands, params: STATE.params };
    expect(findMisfits(manifest, now)).toEqual([
      { kind: "model", name: "gpt-5", problem: "`codex` does not have it" },
    ]);
  });
});
