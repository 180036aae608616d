import { expect, test } from "vitest";
import { AGENTS } from "../../../src/agents/roster.ts";
import { nearestSteps } from "../../../src/agents/steps/event-names.ts";
import { openTestProgram } from "../../support/program-of-commands.ts";

test("every agent's own name of an event leads to its step", async () => {
  for (const { hooks } of AGENTS) {
    const { abilities } = (await hooks?.()) ?? { abilities: { steps: {} } };
    for (const [step, { event }] of Object.entries(abilities.steps))
      expect([event, nearestSteps(event)]).toEqual([event, [step]]);
  }
});

test.each([
  ["pre_tool_use", ["before_tool"]],
  ["before_tol", ["before_tool"]],
  ["nothing like it", []],
])("%s leads to %j", (word, steps) => {
  expect(nearestSteps(word)).toEqual(steps);
});

test.each([
  [
    ["hooks", "test", "PreToolUse", "--command", "ls"],
    "`<step>` has no such value; did you mean `before_tool`?",
  ],
  [["hooks", "list", "after_tol"], "`<step>` has no such value; did you mean `after_tool`?"],
  [
    ["log", "--type", "CommandResult"],
    "`--type` has no such value; did you mean `CommandResulted`?",
  ],
  [["agent", "lst"], "`<action>` has no such value; did you mean `list`?"],
])("adj %j asks about the one that was meant", async (words, says) => {
  const { result } = await openTestProgram().run(words);
  const [command] = words;
  expect(result).toMatchObject({
    exitCode: 2,
    errorOutput: `\`${command}\`: ${says} see \`adj help ${command}\``,
  });
});

test("what is like nothing is told all there is", async () => {
  const { result } = await openTestProgram().run(["completion", "powershell"]);
  expect(result.errorOutput).toContain("must be one of `bash`, `zsh`, `fish`");
});
