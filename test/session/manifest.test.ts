import { describe, expect, test } from "vitest";
import { listCandidates } from "../../src/agents/choice/cards.ts";
import { EMPTY_SESSION, type SessionState } from "../../src/core/command/context.ts";
import type { SavedTurn } from "../../src/core/store/turns.ts";
import {
  formatSessionManifest,
  isSessionName,
  makeSessionManifest,
  readSessionManifest,
} from "../../src/session/manifest.ts";
import {
  findMisfits,
  losesTurns,
  restoredTurns,
  resumeState,
} from "../../src/session/resumption.ts";

const AGENTS = await listCandidates();
const SECRET = `sk-ant-${"x1".repeat(20)}`;
const turn = (number: number, changes: Partial<SavedTurn> = {}): SavedTurn => ({
  id: `turn-${number}`,
  number,
  status: "done",
  prompt: "hello",
  answer: "hello yourself",
  options: { cwd: "/project", root: "/project", agent: null, model: null, params: {}, via: null },
  agent: "codex",
  model: "gpt-5",
  runId: `run-${number}`,
  conversation: "thread-1",
  problem: null,
  owner: null,
  queuedAt: `2026-11-05T14:00:0${number}.000Z`,
  startedAt: null,
  endedAt: null,
  ...changes,
});
const STATE: SessionState = {
  agent: "codex",
  model: "gpt-5",
  params: { effort: "high-and-dry", append_system_prompt: "env:HIDDEN_NAME" },
  workflow: null,
  mode: "allowlist",
  allow: [],
};
const SAVED = {
  turns: [turn(1, { prompt: `my key is ${SECRET}` }), turn(2), turn(3, { status: "running" })],
  conversations: [{ agent: "codex", conversation: "thread-1", cwd: "/project", number: 2 }],
};
const FACTS = {
  name: "work",
  savedAt: new Date("2026-11-05T15:00:00Z"),
  sessionId: "p-1",
  root: "/project",
  commands: { deploy: "d1", lint: "l1" },
  stage: null,
};
const manifest = makeSessionManifest(STATE, SAVED, FACTS);
const isFolder = () => true;

describe("a manifest", () => {
  test("comes back as it was written", () => {
    expect(readSessionManifest(formatSessionManifest(manifest))).toEqual({
      kind: "read",
      manifest,
    });
  });

  test("names params but holds none of their values, and no secret", () => {
    const text = formatSessionManifest(manifest);
    expect(text).toContain("effort");
    expect(text).not.toContain("high-and-dry");
    expect(text).not.toContain("HIDDEN_NAME");
    expect(text).not.toContain(SECRET);
    expect(text).toContain("my key is [secret]");
  });

  test("has the turns that have ended, with the agent's own ids", () => {
    expect(manifest.turns.map(({ number, conversation }) => [number, conversation])).toEqual([
      [1, "thread-1"],
      [2, "thread-1"],
    ]);
    expect(manifest.conversations).toEqual(SAVED.conversations);
  });

  test("of version 0.3.0 opens: what was said becomes turns", () => {
    const { mode: _mode, conversations: _conversations, ...head } = manifest;
    const said = [
      { role: "user", text: "one", at: "t1" },
      { role: "assistant", text: "first", at: "t2" },
      { role: "assistant", text: "second", at: "t3" },
      { role: "user", text: "two", at: "t4" },
    ];
    const reading = readSessionManifest(JSON.stringify({ ...head, adjutant: 1, turns: said }));
    expect(reading).toMatchObject({
      kind: "read",
      manifest: {
        agent: "codex",
        mode: null,
        conversations: [],
        turns: [
          { number: 1, prompt: "one", answer: "first\nsecond", queued_at: "t1" },
          { number: 2, prompt: "two", answer: null, queued_at: "t4" },
        ],
      },
    });
  });

  test.each([
    ["not JSON", "{", "it is not JSON"],
    ["a later version", '{"adjutant":3}', "it was written by a newer Adjutant"],
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
  test("takes over all but params and rules, which stay those of the session", () => {
    const current = { ...EMPTY_SESSION, params: { effort: "low" } };
    const resumed = { ...current, agent: "codex", model: "gpt-5" };
    expect(resumeState(manifest, current, { takesMode: true })).toEqual({
      ...resumed,
      mode: "allowlist",
    });
    expect(resumeState(manifest, current, { takesMode: false })).toEqual(resumed);
  });

  test("gives back every turn under a new id, and conversations whose folder is there", () => {
    let made = 0;
    const context = { newId: () => `new-${++made}`, root: "/project", isFolder };
    const restored = restoredTurns(manifest, context);
    const [first] = restored.turns;
    expect(first).toEqual({
      ...turn(1, { id: "new-1", prompt: "my key is [secret]" }),
    });
    expect(restored.conversations).toEqual(SAVED.conversations);
    const gone = restoredTurns(manifest, { ...context, isFolder: () => false });
    expect(gone.conversations).toEqual([]);
  });

  test("loses turns only where the manifest does not have them", () => {
    expect(losesTurns(manifest, [])).toBe(false);
    expect(losesTurns(manifest, [turn(1), turn(2)])).toBe(false);
    expect(losesTurns(manifest, [turn(1), turn(2), turn(4)])).toBe(true);
    expect(losesTurns(manifest, [turn(2)])).toBe(true);
  });

  test("reports a missing agent, changed and lost commands, and lost params", () => {
    const agents = AGENTS.filter(({ name }) => name !== "codex");
    const params = { append_system_prompt: "env:OTHER" };
    const now = { agents, commands: { deploy: "d2" }, params, isFolder };
    expect(findMisfits(manifest, now)).toEqual([
      { kind: "agent", name: "codex", problem: "there is no such agent here" },
      { kind: "command", name: "deploy", problem: "it changed since the session was saved" },
      { kind: "command", name: "lint", problem: "it is gone" },
      { kind: "param", name: "effort", problem: "its value was not saved; set it again" },
    ]);
  });

  const NOW = { agents: AGENTS, commands: FACTS.commands, params: STATE.params, isFolder };

  test("reports nothing where all still fits", () => {
    expect(findMisfits(manifest, NOW)).toEqual([]);
  });

  test("reports a conversation whose folder is gone, and goes on with its transcript", () => {
    expect(findMisfits(manifest, { ...NOW, isFolder: () => false })).toEqual([
      {
        kind: "conversation",
        name: "codex",
        problem: "`/project` is gone; its transcript is handed over instead",
      },
    ]);
  });

  test("reports a model that the agent would refuse now", () => {
    const other = { ...manifest, agent: "claude-code", conversations: [] };
    expect(findMisfits(other, NOW)).toMatchObject([{ kind: "model", name: "gpt-5" }]);
  });
});
