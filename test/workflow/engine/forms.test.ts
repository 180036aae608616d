import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/core/command/context.ts";
import { NO_LIMITS } from "../../../src/workflow/commands/limits.ts";
import type { StageWorkflow } from "../../../src/workflow/definition/workflow.ts";
import { createChildRunner, type WorkflowForms } from "../../../src/workflow/engine/forms.ts";

const FEATURE: StageWorkflow = {
  ...{
    form: "stages",
    name: "feature",
    description: "",
    file: "feature.yaml",
    source: "",
    hash: "",
  },
  inputs: {
    task: { description: "what to build", default: undefined },
    tone: { description: "", default: "dry" },
  },
  ...{
    requires: [],
    agent: null,
    model: null,
    mode: null,
    budget: NO_LIMITS,
    start: "one",
    stages: {},
  },
};

/** A child that returns what it was given. */
const forms: WorkflowForms = {
  readWorkflow: async () => FEATURE,
  runScript: async () => ({ kind: "returned", value: undefined }),
  runStages: async ({ args }) => ({ kind: "returned", value: args }),
};

const runFeature = (given: JsonValue | undefined) =>
  createChildRunner(
    forms,
    {
      perform: async () => ({ kind: "ended", reason: "nothing is performed here" }),
      narration: { phase: () => undefined, log: () => undefined },
      tokenLimit: null,
      signal: new AbortController().signal,
    },
    (error) => (error instanceof Error ? error.message : String(error)),
  )("feature", given, "");

test("stages inside a workflow have the defaults of the inputs that they are not given", async () => {
  expect(await runFeature({ task: "a" })).toEqual({
    kind: "returned",
    value: { task: "a", tone: "dry" },
  });
});

test.each([
  [undefined, "workflow `feature`: the input `task` is missing (what to build)"],
  [{ task: "a", tne: 1 }, "workflow `feature`: it has no input `tne`; did you mean `tone`?"],
])("stages inside a workflow that are given %j are not run", async (given, message) => {
  expect(await runFeature(given)).toEqual({ kind: "threw", message });
});
