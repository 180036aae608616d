import { describe, expect, onTestFinished, test } from "vitest";
import type { ApprovalMode } from "../../../src/core/command/context.ts";
import type { Envelope } from "../../../src/core/step/envelope.ts";
import type { StageRow } from "../../../src/core/store/stages.ts";
import { openState } from "../../../src/core/store/state.ts";
import { makeSubject } from "../../../src/hooks/match/step-subject.ts";
import { findPosture, readSessionApprovals } from "../../../src/session/approvals/rules.ts";
import { hookAgentOf } from "../../support/agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ROW: StageRow = {
  ...{ runId: "wf_1", workflow: "ship", stage: "plan", isActing: false, mode: null },
  ...{ posture: [], commands: [], hide: [], requires: [] },
};

function openSession(stage: Partial<StageRow> | null) {
  const store = openState(temporaryFolder());
  onTestFinished(() => store.close());
  store.ensure("s", null);
  store.stages.write("s", stage === null ? null : { ...ROW, ...stage });
  return store;
}

describe("the mode", () => {
  test.each<[stage: StageRow["mode"], settings: ApprovalMode, inForce: string]>([
    ["auto", "allowlist", "auto"],
    [null, "allowlist", "allowlist"],
    [null, "ask", "ask"],
  ])("of a stage %j over settings %s is %s", async (mode, settings, inForce) => {
    const readSettings = async () => ({ mode: settings, allow: [] });
    const approvals = await readSessionApprovals(openSession({ mode }), "s", readSettings);
    expect(approvals.mode).toBe(inForce);
  });
});

describe("the posture of a stage", () => {
  const find = async (posture: StageRow["posture"] | null, tool: string, args: object) => {
    const store = openSession(posture === null ? null : { posture });
    const { posture: read = null } = await readSessionApprovals(store, "s", async () => ({
      mode: "ask",
      allow: [],
    }));
    const agent = await hookAgentOf("claude-code");
    const envelope: Envelope = {
      protocol: 1,
      step: "before_tool",
      ...{ agent: "claude-code", session_id: "c", cwd: "/p" },
      ...{ correlation_id: "c", time: "", native: {}, tool, args: { ...args } },
      kind: tool === "Read" ? "read" : "shell",
    };
    return findPosture(read, makeSubject({ agent, root: "/p", home: "/h" }, envelope));
  };
  const READ = ["Read", { file_path: "/p/a" }] as const;
  const PUSH = ["Bash", { command: "git push origin" }] as const;

  test("says nothing where there is no stage, or none of its rules speaks of the call", async () => {
    expect(await find(null, ...READ)).toBe(null);
    expect(await find([{ action: "deny", rule: "git push*" }], ...READ)).toBe(null);
  });

  test("is the strictest rule that speaks of the call", async () => {
    const posture = [
      { action: "allow", rule: { kind: "shell" } },
      { action: "deny", rule: "git push*" },
    ] as const;
    expect(await find(posture, ...PUSH)).toEqual({ action: "deny", stage: "stage plan" });
  });

  test.each([{ knd: "shell" }, {}, 7, null])("denies all by %j, which is no rule", async (rule) => {
    const posture = [
      { action: "allow", rule: { kind: "read" } },
      { action: "allow", rule },
    ] as const;
    expect(await find(posture, ...READ)).toEqual({ action: "deny", stage: "stage plan" });
  });
});
