import fc from "fast-check";
import { expect, test } from "vitest";
import { STEP_RULES, STEPS, type StepName } from "../../../src/core/step/step.ts";
import { CONTROLS } from "../../../src/core/step/verdict.ts";
import { parseVerdict } from "../../../src/hooks/handlers/protocol.ts";

test.each<[step: StepName, value: unknown, verdict?: unknown]>([
  ["before_tool", {}],
  ["before_tool", { control: "proceed" }],
  ["before_tool", { control: "break", reason: "no" }],
  ["before_tool", { permission: "ask", args: { a: 1 }, additional_context: ["x", "y"] }],
  ["before_tool", { result: "out" }, { result: { output: "out" } }],
  ["before_tool", { result: { output: "", error_output: "e", exit_code: 255 } }],
  ["after_tool", { output: "", control: "veto" }],
  ["before_permission", { permission: "deny" }],
  ["before_permission", { additional_context: ["has no place, and does no harm"] }],
  ["before_turn_end", { control: "continue", reason: "go on" }],
  ["before_compact", { control: "skip" }],
  ["before_prompt", { prompt: "other" }],
  ["before_command", { args: {}, result: "x" }, { args: {}, result: { output: "x" } }],
])("at %s %j is a verdict", (step, value, verdict = value) => {
  expect(parseVerdict(step, value)).toEqual({ kind: "verdict", verdict });
});

test.each<[step: StepName, value: unknown, problem: string]>([
  ["before_tool", null, "a verdict must be a JSON object"],
  ["before_tool", [], "a verdict must be a JSON object"],
  ["before_tool", "veto", "a verdict must be a JSON object"],
  ["before_tool", { contrl: "veto" }, "unknown field `contrl`"],
  ["before_tool", { constructor: 1 }, "unknown field `constructor`"],
  [
    "before_tool",
    { control: "stop" },
    "`control` must be one of `proceed`, `veto`, `break`, `continue`, `skip`",
  ],
  [
    "before_tool",
    { control: "continue" },
    "`continue` is no control of `before_tool`, which accepts `proceed`, `veto`, `break`",
  ],
  [
    "before_tool",
    { control: "skip" },
    "`skip` is no control of `before_tool`, which accepts `proceed`, `veto`, `break`",
  ],
  [
    "notification",
    { control: "veto" },
    "`veto` is no control of `notification`, which accepts `proceed`",
  ],
  ["before_tool", { prompt: "x" }, "`prompt` cannot be changed at `before_tool`"],
  ["after_tool", { args: {} }, "`args` cannot be changed at `after_tool`"],
  ["before_tool", { reason: null }, "`reason` must be text"],
  ["before_tool", { args: [] }, "`args` must be an object"],
  ["before_tool", { args: null }, "`args` must be an object"],
  ["before_tool", { additional_context: "x" }, "`additional_context` must be a list of texts"],
  ["before_tool", { additional_context: [1] }, "`additional_context` must be a list of texts"],
  ["before_tool", { permission: "yes" }, "`permission` must be one of `allow`, `ask`, `deny`"],
  [
    "before_tool",
    { result: { output: "x", more: 1 } },
    "`result` must be text, or an object of `output`, `error_output` and `exit_code`",
  ],
  [
    "before_tool",
    { result: { output: "x", exit_code: 256 } },
    "`result` must be text, or an object of `output`, `error_output` and `exit_code`",
  ],
])("at %s %j is invalid", (step, value, problem) => {
  expect(parseVerdict(step, value)).toEqual({ kind: "invalid", problem });
});

test("every step accepts proceed, veto where it can be vetoed, and the one word of its veto", () => {
  for (const step of STEPS) {
    const { canVeto, vetoWord } = STEP_RULES[step];
    const accepted = CONTROLS.filter(
      (control) => parseVerdict(step, { control }).kind === "verdict",
    );
    const expected = CONTROLS.filter(
      (control) => control === "proceed" || (control === "veto" && canVeto) || control === vetoWord,
    );
    expect([step, accepted]).toEqual([step, expected]);
  }
});

test("any JSON is read without a throw, and a verdict has only what was given", () => {
  fc.assert(
    fc.property(fc.constantFrom(...STEPS), fc.jsonValue(), (step, value) => {
      const reading = parseVerdict(step, value);
      if (reading.kind === "verdict")
        expect(Object.keys(reading.verdict).sort()).toEqual(Object.keys(value ?? {}).sort());
      else expect(reading.problem).not.toBe("");
    }),
  );
});
