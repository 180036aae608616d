// What a log must hold of a scenario, in the words of one agent.
import { expect } from "vitest";
import { PROMPT } from "../scenarios.ts";
import type { AgentExpectation, Row } from "./expectation.ts";
import type { RunScenario, ScriptedCall } from "./scenarios.ts";
import { WRITTEN } from "./scenarios.ts";

interface ExpectedCall {
  readonly call: ScriptedCall;
  readonly result: string | null;
  /** As it must stand in the log. */
  readonly entry: Readonly<Record<string, unknown>>;
}

export interface ExpectedEntries {
  readonly calls: readonly unknown[];
  readonly messages: readonly unknown[];
  readonly files: readonly string[];
}

export function expectEntries(
  agent: AgentExpectation,
  scenario: RunScenario,
  workspace: string,
): ExpectedEntries {
  const calls = scenario.calls.map((call) => expectCall(agent, call, workspace));
  const quickFirst = calls.toSorted((one, other) => slowness(one) - slowness(other));
  const answered = agent.quickFirst === null ? calls : quickFirst;
  const [first, ...others] = scenario.says;
  const cut = scenario.name === "dropped stream" && agent.cut !== null ? [agent.cut] : [];
  const said = (content: string) => ({ role: "assistant", content });
  return {
    calls: (agent.quickFirst === "calls" ? quickFirst : calls).map(({ entry }) => entry),
    messages: [
      { role: "user", content: PROMPT },
      ...[...(first === undefined ? [] : [first]), ...cut].map(said),
      ...answered.map(({ result }) => ({ role: "tool", content: matchResult(result ?? "") })),
      ...others.map(said),
    ],
    files: scenario.calls.some(({ tool }) => tool === "write") ? [WRITTEN.path] : [],
  };
}

const slowness = ({ call }: ExpectedCall): number => (call.tool === "shell" ? 1 : 0);

function expectCall(agent: AgentExpectation, call: ScriptedCall, workspace: string): ExpectedCall {
  const tool = agent[call.tool];
  const hasFailed = call.tool === "shell" && call.code !== 0;
  const facts = { ...call, content: WRITTEN.content, path: `${workspace}/${WRITTEN.path}` };
  const template = hasFailed ? (tool.failedResult ?? tool.result) : tool.result;
  const result = template === null ? null : fill(template, facts);
  const isJudged = call.tool === "write" || agent.tellsFailedCommand;
  const entry = {
    id: expect.stringMatching(/./),
    name: tool.name,
    kind: tool.kind,
    arguments: JSON.parse(fill(JSON.stringify(tool.arguments), facts)),
    ...(result === null ? {} : { result: matchResult(result) }),
    ...(isJudged ? { is_error: hasFailed } : {}),
    ...(agent.tellsToolTimes
      ? { started_at: expect.stringMatching(/Z$/), duration_ms: expect.any(Number) }
      : {}),
    ...(agent.tellsPermission ? { permission: "allowed" } : {}),
  };
  return { call, result, entry };
}

/** Some add the process group, the folder and the like around it. */
const matchResult = (result: string): unknown =>
  result === "" ? "" : expect.stringContaining(result);

const fill = (template: string, facts: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));

const FIGURES = [
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
] as const;

/** The turns' scripted figures added up, as far as the agent passes them on. */
export function expectUsage(agent: AgentExpectation, { script }: RunScenario, usage: Row[4]) {
  if (usage === "begun") return expect.objectContaining({ source: "output", ...NUMBERS });
  const figures = FIGURES.map((name, at) => {
    if (usage === "unknown" || agent.figures[at] === null) return null;
    if (usage === "zero" || agent.figures[at] === "zero") return 0;
    return script.turns.reduce((sum, turn) => sum + (turn.usage?.[name] ?? 0), 0);
  });
  const [input = null, output = null] = figures;
  return {
    ...Object.fromEntries(FIGURES.map((name, at) => [name, figures[at]])),
    total_tokens: input === null || output === null ? null : input + output,
    source: usage === "unknown" ? "unknown" : "output",
  };
}

/** How many of the tries got so far as to be counted is a matter of milliseconds. */
const NUMBERS = Object.fromEntries(FIGURES.map((name) => [name, expect.any(Number)]));

export function expectCost(cost: Row[5]) {
  if (cost === null) return null;
  return { usd: cost === "begun" ? expect.any(Number) : cost, source: "output" };
}
