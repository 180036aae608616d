import { expect, onTestFinished, test } from "vitest";
import type { StageRow } from "../../../src/core/store/stages.ts";
import { openState } from "../../../src/core/store/state.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ROW: StageRow = {
  runId: "wf_abc123abc123",
  workflow: "ship",
  stage: "plan",
  isActing: false,
  mode: "auto",
  posture: [
    { action: "allow", rule: { kind: "read" } },
    { action: "deny", rule: "git push*" },
  ],
  commands: ["release"],
  hide: ["model"],
  requires: ["tools"],
};

function openTwice() {
  const folder = temporaryFolder();
  const states = [openState(folder), openState(folder)] as const;
  onTestFinished(() => {
    for (const state of states) state.close();
  });
  return states;
}

test("the stage of a session is what was written last, for every process", () => {
  const [owner, other] = openTwice();
  expect(other.stages.read("s")).toBe(null);
  owner.stages.write("s", ROW);
  expect(other.stages.read("s")).toEqual(ROW);
  owner.stages.write("s", { ...ROW, stage: "build", isActing: true, mode: null });
  expect(other.stages.read("s")).toEqual({ ...ROW, stage: "build", isActing: true, mode: null });
});

test("it is of its session alone, and can be taken away", () => {
  const [{ stages }] = openTwice();
  stages.write("a", ROW);
  stages.write("b", { ...ROW, stage: "other" });
  stages.write("a", null);
  expect([stages.read("a"), stages.read("b")?.stage]).toEqual([null, "other"]);
});

test("a turn that a dead process waits for is not run by another", () => {
  const [{ turns }] = openTwice();
  const options = { cwd: "/", root: "/", agent: null, model: null, params: {}, via: null };
  const asker = { pid: 1 << 30, startedAt: "never", host: "" };
  turns.add("kept", "s", "of a person", options);
  turns.add("lost", "s", "of a workflow", { ...options, asker });
  const problem = { class: "Internal", code: "ProcessLost", message: "gone" };
  // Another boot cannot be seen from here, so it is left alone.
  expect(turns.endLost(problem)).toEqual([]);
  expect(turns.read("lost")?.options.asker).toEqual(asker);
});
