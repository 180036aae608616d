import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  countContinues,
  findSessionRoot,
  forgetContinues,
  hasRunOnce,
  markRunOnce,
  noteContinue,
  sessionFolder,
} from "../../../src/hooks/pipeline/session.ts";
import { markRepository, temporaryFolder } from "../../support/temporary-folder.ts";

function makePlace() {
  const folder = temporaryFolder("adjutant-test-");
  for (const project of ["one", "two"]) markRepository(join(folder, project));
  mkdirSync(join(folder, "one", "deep", "down"), { recursive: true });
  const stateDir = join(folder, "state");
  const session = { stateDir, agent: "codex", sessionId: "s", env: {}, projectVariables: [] };
  return { folder, session, one: join(folder, "one"), two: join(folder, "two") };
}

test("the project is the one of the first step, wherever the agent goes", () => {
  const { session, one, two } = makePlace();
  expect(findSessionRoot({ ...session, cwd: join(one, "deep", "down") })).toBe(one);
  expect(findSessionRoot({ ...session, cwd: two })).toBe(one);
  expect(findSessionRoot({ ...session, cwd: "/gone" })).toBe(one);
  expect(findSessionRoot({ ...session, sessionId: "other", cwd: two })).toBe(two);
  expect(findSessionRoot({ ...session, agent: "copilot", cwd: two })).toBe(two);
});

test("what the agent says itself counts more, and needs no record", () => {
  const { session, one, two } = makePlace();
  const env = { PROJECT: join(one, "deep"), OTHER: two };
  const question = { ...session, env, projectVariables: ["MISSING", "PROJECT", "OTHER"] };
  expect(findSessionRoot({ ...question, cwd: two })).toBe(one);
  expect(() => readdirSync(session.stateDir)).toThrow();
});

test("a session without a name is never taken for another", () => {
  const { session, one, two } = makePlace();
  const nameless = { ...session, sessionId: "unknown" };
  expect(findSessionRoot({ ...nameless, cwd: one })).toBe(one);
  expect(findSessionRoot({ ...nameless, cwd: two })).toBe(two);
});

test.each(["..", "../../../x", "/etc", "", "a/b", "\ud800", "x".repeat(3_000), "\u0000"])(
  "a session called %j has one folder and none outside",
  (sessionId) => {
    const stateDir = "/state";
    const folder = sessionFolder({ stateDir, agent: "codex", sessionId });
    expect(folder).toMatch(/^\/state\/hook-sessions\/[^/]+$/);
    expect(folder).not.toMatch(/\/\.\.?$/);
    expect(folder.length).toBeLessThan(255);
  },
);

test("where nothing can be written each step looks for itself", () => {
  const { folder, session, two } = makePlace();
  const stateDir = join(folder, "a file");
  writeFileSync(stateDir, "");
  expect(findSessionRoot({ ...session, stateDir, cwd: two })).toBe(two);
  markRunOnce({ ...session, stateDir }, "rule");
  expect(hasRunOnce({ ...session, stateDir }, "rule")).toBe(false);
  noteContinue({ ...session, stateDir }, "turn", 1);
  forgetContinues({ ...session, stateDir }, "turn");
  expect(countContinues({ ...session, stateDir }, "turn")).toBe(0);
});

test("a rule that ran once is known by its session only", () => {
  const { session } = makePlace();
  markRunOnce(session, "a/../rule");
  expect(hasRunOnce(session, "a/../rule")).toBe(true);
  expect(hasRunOnce(session, "rule")).toBe(false);
  expect(hasRunOnce({ ...session, sessionId: "other" }, "a/../rule")).toBe(false);
});

test("how often a turn was sent on is counted for each that takes one", () => {
  const { session } = makePlace();
  noteContinue(session, "turn", 2);
  noteContinue(session, "subagent a", 1);
  expect([countContinues(session, "turn"), countContinues(session, "subagent a")]).toEqual([2, 1]);
  forgetContinues(session, "turn");
  expect([countContinues(session, "turn"), countContinues(session, "subagent a")]).toEqual([0, 1]);
});
