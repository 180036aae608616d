import { NO_DECISION, type StepDecision } from "../../../src/core/step/verdict.ts";

const decide = (fields: Partial<StepDecision>): StepDecision => ({ ...NO_DECISION, ...fields });

/** Every decision there is, alone, and the pairs that change each other. */
export const DECISIONS: Readonly<Record<string, StepDecision>> = {
  nothing: NO_DECISION,
  veto: decide({ control: "veto", reason: "not here", decidedBy: "guard" }),
  "veto without a reason": decide({ control: "veto", reason: " ", decidedBy: "guard" }),
  "veto and context": decide({
    control: "veto",
    reason: "not here",
    additionalContext: ["try there"],
  }),
  deny: decide({ permission: "deny", reason: "never", decidedBy: "guard" }),
  ask: decide({ permission: "ask", reason: "sure?" }),
  allow: decide({ permission: "allow" }),
  args: decide({ args: { command: "ls -l" } }),
  "args and allow": decide({ args: { command: "ls -l" }, permission: "allow" }),
  "args and ask": decide({ args: { command: "ls -l" }, permission: "ask", reason: "sure?" }),
  "args and veto": decide({ args: { command: "ls -l" }, control: "veto", reason: "not here" }),
  result: decide({ result: { output: "made up", error_output: "oh", exit_code: 3 } }),
  prompt: decide({ prompt: "hello there" }),
  output: decide({ output: "[redacted]" }),
  "output and veto": decide({ output: "[redacted]", control: "veto", reason: "a secret" }),
  context: decide({ additionalContext: ["one", " ", "two"] }),
  "args and context": decide({ args: { command: "ls -l" }, additionalContext: ["one"] }),
};
