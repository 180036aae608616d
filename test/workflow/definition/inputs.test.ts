import { expect, test } from "vitest";
import { formatFault } from "../../../src/core/command/fault.ts";
import { completeInputs } from "../../../src/workflow/definition/inputs.ts";
import { faultOf } from "../../support/faults.ts";

const WORKFLOW = {
  name: "feature",
  inputs: {
    task: { description: "what to build", default: undefined },
    deep: { description: "how far", default: 3 },
  },
};

test("inputs are those that are given, else their defaults", () => {
  expect(completeInputs(WORKFLOW, { task: "a" })).toEqual({ task: "a", deep: 3 });
  expect(completeInputs(WORKFLOW, { task: null, deep: [1] })).toEqual({ task: null, deep: [1] });
});

test.each([
  [
    {},
    "workflow `feature`: the input `task` is missing (what to build); give it with `--input task=…`",
  ],
  [
    { tsk: 1 },
    "workflow `feature`: it has no input `tsk`; did you mean `task`? it takes `task`, `deep`",
  ],
  [
    { constructor: 1 },
    "workflow `feature`: it has no input `constructor`; it takes `task`, `deep`",
  ],
])("inputs %j are refused", async (given, problem) => {
  expect(formatFault(await faultOf(() => completeInputs(WORKFLOW, given)))).toBe(problem);
});
