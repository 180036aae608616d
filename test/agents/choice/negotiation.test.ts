import { describe, expect, test } from "vitest";
import { listCandidates } from "../../../src/agents/choice/cards.ts";
import {
  type Needs,
  type Negotiation,
  NO_HISTORY,
  needsOf,
  negotiate,
  type Proposal,
} from "../../../src/agents/choice/choice.ts";
import { EMPTY_SESSION } from "../../../src/core/command/context.ts";

const AGENTS = await listCandidates();
const NO_NEEDS: Needs = { hard: [], preferred: [] };

test.each<[string, Proposal, Needs, Negotiation]>([
  [
    "an agent that has everything is accepted",
    { agent: "claude-code", model: null },
    { hard: ["tools", "structured-output"], preferred: ["hooks"] },
    { kind: "accepted", warnings: [] },
  ],
  [
    "a missing hard capability is refused",
    { agent: "gemini", model: null },
    { hard: ["tools", "structured-output"], preferred: [] },
    { kind: "capability-missing", capabilities: ["structured-output"] },
  ],
  [
    "a missing preferred capability is a warning",
    { agent: "acp", model: null },
    { hard: [], preferred: ["hooks", "tools"] },
    { kind: "accepted", warnings: ["`acp` lacks `hooks`"] },
  ],
  [
    "a model that the agent's own rule refuses is refused in its words",
    { agent: "opencode", model: "opus" },
    NO_NEEDS,
    {
      kind: "model-refused",
      model: "opus",
      problem: "must be a provider and a model, as in `anthropic/claude-opus-5-5`",
    },
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

test("a model that is not in the list an agent gave is refused with the nearest", () => {
  const listed = AGENTS.map((agent) => ({ ...agent, models: ["some/large", "some/small"] }));
  expect(negotiate({ agent: "opencode", model: "some/smal" }, listed, NO_NEEDS)).toEqual({
    kind: "model-unknown",
    model: "some/smal",
    suggestions: ["some/small"],
  });
});

describe("a session asks", () => {
  const everything = {
    ...EMPTY_SESSION,
    params: {
      "output_schema.type": "object",
      append_system_prompt: "be brief",
      "mcp-config": "servers.json",
    },
  };
  const history = { turns: 3, hasToolCalls: true, hasImages: true };

  test("for hooks as a preference, and nothing more when it is new", () => {
    expect(needsOf(EMPTY_SESSION, NO_HISTORY)).toEqual({ hard: [], preferred: ["hooks"] });
  });

  test("for what its params and its turns hold", () => {
    expect(needsOf(everything, history)).toEqual({
      hard: ["tools", "images", "structured-output"],
      preferred: ["resume", "system-prompt", "mcp", "hooks"],
    });
  });

  test("for no capability that no agent lists", () => {
    const { hard, preferred } = needsOf(everything, history);
    for (const capability of [...hard, ...preferred])
      expect(AGENTS.filter((agent) => agent.capabilities.includes(capability))).not.toEqual([]);
    const all = AGENTS.filter(
      ({ capabilities }) => ![...hard, ...preferred].some((one) => !capabilities.includes(one)),
    );
    expect(all.map(({ name }) => name)).toEqual(["claude-code", "codex", "qwen"]);
  });
});
