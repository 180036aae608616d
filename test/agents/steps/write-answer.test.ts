import { join } from "node:path";
import { expect, test } from "vitest";
import { type ChangeField, STEP_RULES, type StepName } from "../../../src/core/step/step.ts";
import { NO_DECISION, type StepDecision } from "../../../src/core/step/verdict.ts";
import { hookAgentOf } from "../../support/agents.ts";
import { DECISIONS } from "./decisions.ts";
import { agentOfRow, PLACE, STEP_PAYLOADS } from "./payloads.ts";

/** What the table of steps lets handlers say there. */
function isPossible(decision: StepDecision, step: StepName): boolean {
  const { canVeto, changes } = STEP_RULES[step];
  const { control, additionalContext, ...asked } = decision;
  const can = (change: ChangeField) => changes.includes(change);
  return (
    (control === "proceed" || canVeto) &&
    (additionalContext.length === 0 || can("additional_context")) &&
    (["prompt", "args", "result", "permission", "output"] as const).every(
      (change) => asked[change] === null || can(change),
    )
  );
}

/** Every decision at every step, as the agent is told it, with the notes below. */
function tableOf(row: string): string {
  const agent = hookAgentOf(agentOfRow(row));
  const lines: string[] = [];
  for (const [step, payload] of Object.entries(STEP_PAYLOADS[row] ?? {})) {
    lines.push(`# ${step}`);
    const envelope = agent?.readStep(payload, PLACE);
    if (!agent || !envelope) throw new Error(`${row} has no ${step}`);
    for (const [name, decision] of Object.entries(DECISIONS)) {
      if (!isPossible(decision, envelope.step)) continue;
      const { stdout, notes } = agent.writeAnswer(decision, envelope);
      lines.push(`${name}: ${stdout}`, ...notes.map((note) => `  (${note})`));
    }
    lines.push("");
  }
  return lines.join("\n");
}

test.each(Object.keys(STEP_PAYLOADS))("%s is told each decision in its own words", async (row) => {
  const file = `${row.replaceAll(" ", "-")}.txt`;
  await expect(tableOf(row)).toMatchFileSnapshot(join(import.meta.dirname, "answers", file));
});

test.each(Object.keys(STEP_PAYLOADS))("%s is told nothing where nothing was decided", (row) => {
  const agent = hookAgentOf(agentOfRow(row));
  for (const payload of Object.values(STEP_PAYLOADS[row] ?? {})) {
    const envelope = agent?.readStep(payload, PLACE);
    if (!agent || !envelope) throw new Error(row);
    expect(agent.writeAnswer(NO_DECISION, envelope)).toEqual({
      stdout: agent.silence(payload),
      notes: [],
    });
  }
});

const ANSWER = { output: "main\n* dev", exitCode: 0 };

test("a whole prompt is answered where the agent can be answered for", () => {
  const told = Object.keys(STEP_PAYLOADS).map((row) => {
    const agent = hookAgentOf(agentOfRow(row));
    const payload = STEP_PAYLOADS[row]?.before_prompt ?? {};
    const envelope = agent?.readPromptToAnswer(payload, PLACE) ?? null;
    return [row, envelope && agent?.writePromptAnswer(ANSWER, envelope)];
  });
  const handled = '{"handled":true,"responseContent":"main\\n* dev"}';
  expect(Object.fromEntries(told)).toEqual({
    "claude-code":
      '{"decision":"block","reason":"main\\n* dev","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true}}',
    codex: null,
    gemini: null,
    qwen: null,
    copilot: handled,
    "copilot as Claude Code": handled,
    opencode: null,
  });
});

test("Gemini CLI is answered for where it would ask the model", () => {
  const agent = hookAgentOf("gemini");
  const messages = [{ role: "user", content: "adj-branch list" }];
  const payload = { hook_event_name: "BeforeModel", llm_request: { messages } };
  const envelope = agent?.readPromptToAnswer(payload, PLACE) ?? null;
  expect(envelope && JSON.parse(agent?.writePromptAnswer(ANSWER, envelope) ?? "")).toEqual({
    decision: "deny",
    reason: "answered without the model",
    hookSpecificOutput: {
      hookEventName: "BeforeModel",
      llm_response: {
        text: ANSWER.output,
        candidates: [
          {
            content: { role: "model", parts: [ANSWER.output] },
            finishReason: "STOP",
            index: 0,
          },
        ],
      },
    },
  });
});

test.each([
  [
    "Bash",
    { stdout: "a", stderr: "b", x: 1 },
    { updatedToolOutput: { stdout: "N", stderr: "", x: 1 } },
  ],
  [
    "Read",
    { type: "text", file: { filePath: "/a", content: "a\nb", numLines: 2, startLine: 1 } },
    {
      updatedToolOutput: {
        type: "text",
        file: { filePath: "/a", content: "N", numLines: 1, startLine: 1 },
      },
    },
  ],
  ["mcp__git__log", [{ type: "text", text: "a" }], { updatedMCPToolOutput: "N" }],
  ["Skill", "a", { updatedToolOutput: "N" }],
] as const)(
  "another output of %s has the shape that tool has in Claude Code",
  (tool, response, expected) => {
    const agent = hookAgentOf("claude-code");
    const payload = { hook_event_name: "PostToolUse", tool_name: tool, tool_response: response };
    const envelope = agent?.readStep(payload, PLACE);
    const answer = envelope && agent?.writeAnswer({ ...NO_DECISION, output: "N" }, envelope);
    expect(answer?.notes).toEqual([]);
    expect(JSON.parse(answer?.stdout ?? "")).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", ...expected },
    });
  },
);

test("an output of unknown shape is left alone, and that is said", () => {
  const agent = hookAgentOf("claude-code");
  const payload = { hook_event_name: "PostToolUse", tool_name: "Glob", tool_response: { n: 1 } };
  const envelope = agent?.readStep(payload, PLACE);
  expect(envelope && agent?.writeAnswer({ ...NO_DECISION, output: "N" }, envelope)).toEqual({
    stdout: "{}",
    notes: ["claude-code cannot honour `output` at `after_tool`; left out"],
  });
});
