import { describe, expect, test } from "vitest";
import {
  type CandidateAgent,
  type Needs,
  type Negotiation,
  needsOf,
  negotiate,
  type Proposal,
} from "../../../src/agents/choice/choice.ts";
import { EMPTY_SESSION } from "../../../src/core/command/context.ts";

const AGENTS: readonly CandidateAgent[] = [
  { name: "claude-code", capabilities: ["tools", "hooks", "resume"], models: ["opus", "sonnet"] },
  { name: "codex", capabilities: ["tools", "structured-output"], models: null },
];
const NO_NEEDS: Needs = { hard: [], preferred: [] };

test.each<[string, Proposal, Needs, Negotiation]>([
  [
    "an agent that has everything is accepted",
    { agent: "claude-code", model: "opus" },
    { hard: ["tools"], preferred: ["hooks"] },
    { kind: "accepted", warnings: [] },
  ],
  [
    "a missing hard capability is refused",
    { agent: "claude-code", model: null },
    { hard: ["tools", "structured-output"], preferred: [] },
    { kind: "capability-missing", capabilities: ["structured-output"] },
  ],
  [
    "a missing preferred capability is a warning",
    { agent: "codex", model: null },
    { hard: [], preferred: ["hooks", "tools"] },
    { kind: "accepted", warnings: ["`codex` lacks `hooks`"] },
  ],
  [
    "a model the agent does not list is refused with the nearest",
    { agent: "claude-code", model: "sonet" },
    NO_NEEDS,
    { kind: "model-unknown", model: "sonet", suggestions: ["sonnet"] },
  ],
  [
    "a model of an agent that cannot list them is accepted with a warning",
    { agent: "codex", model: "gpt-5" },
    NO_NEEDS,
    {
      kind: "accepted",
      warnings: ["`codex` cannot list its models, so `gpt-5` was not checked"],
    },
  ],
  [
    "an unknown agent is refused with the nearest",
    { agent: "codx", model: null },
    NO_NEEDS,
    { kind: "agent-unknown", suggestions: ["codex"] },
  ],
  [
    "a model without an agent is accepted with a warning",
    { agent: null, model: "opus" },
    NO_NEEDS,
    { kind: "accepted", warnings: ["no agent is chosen, so `opus` was not checked"] },
  ],
])("%s", (_, proposal, needs, answer) => {
  expect(negotiate(proposal, AGENTS, needs)).toEqual(answer);
});

test("where no agent is known, any name is accepted with a warning that says so", () => {
  expect(negotiate({ agent: "mine", model: "m" }, [], NO_NEEDS)).toEqual({
    kind: "accepted",
    warnings: ["no agent is known, so `mine` was not checked"],
  });
});

describe("a session asks", () => {
  test("for hooks as a preference, and nothing more when it is new", () => {
    expect(needsOf(EMPTY_SESSION)).toEqual({ hard: [], preferred: ["hooks"] });
  });

  test("for structured output once a schema is set", () => {
    const state = { ...EMPTY_SESSION, params: { output_schema: "./answer.json" } };
    expect(needsOf(state).hard).toEqual(["structured-output"]);
  });

  test("for resuming once it has turns", () => {
    const turns = [{ role: "user", text: "hello", at: "2026-11-05T14:00:00.000Z" }] as const;
    expect(needsOf({ ...EMPTY_SESSION, turns }).preferred).toContain("resume");
  });
});
