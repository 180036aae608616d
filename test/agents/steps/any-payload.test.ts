import fc from "fast-check";
import { expect, test } from "vitest";
import { findCamelEvent } from "../../../src/agents/copilot/hooks.ts";
import type { HookAgent } from "../../../src/agents/steps/hook-agent.ts";
import { isRecord } from "../../../src/core/project/json-value.ts";
import type { Envelope, NativePayload } from "../../../src/core/step/envelope.ts";
import type { StepDecision } from "../../../src/core/step/verdict.ts";
import { HOOK_AGENT_NAMES, hookAgentOf } from "../../support/agents.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { inTier } from "../../support/tier.ts";
import { ANSWER_RULES } from "./answer-rules.ts";
import { DECISIONS } from "./decisions.ts";
import { agentOfRow, PLACE, RECORDED_AGENTS, recordedPayloads, STEP_PAYLOADS } from "./payloads.ts";

const PAYLOADS = inTier(2_000, 100_000);

const SEEDS: readonly NativePayload[] = [
  ...Object.values(STEP_PAYLOADS).flatMap((rows) => Object.values(rows)),
  ...RECORDED_AGENTS.flatMap((agent) => [...recordedPayloads(agent).values()]),
];

/** Keys any agent knows, so that mutations hit. */
const KEYS = [...new Set(SEEDS.flatMap((seed) => Object.keys(seed)))];

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, "", "\ud800", [], {}, "constructor", "__proto__"),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const mutation = fc.record({
  key: fc.oneof(fc.constantFrom(...KEYS), fc.string({ maxLength: 6 })),
  value: fc.option(junk, { nil: undefined }),
});

/** A seed with some of its fields gone, replaced or added; or anything at all. */
const payload: fc.Arbitrary<NativePayload> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.constantFrom(...SEEDS), fc.array(mutation, { maxLength: 4 }))
      .map(([seed, mutations]) => mutations.reduce(mutate, seed)),
  },
  { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 8 }), junk) },
);

function mutate(seed: NativePayload, { key, value }: { key: string; value: unknown }) {
  const { [key]: _, ...rest } = seed;
  return value === undefined ? rest : { ...rest, [key]: value };
}

const reason = fc.option(fc.string({ unit: anyCharacter, maxLength: 20 }), { nil: null });
const args = fc.option(fc.dictionary(fc.string({ unit: anyCharacter, maxLength: 4 }), junk), {
  nil: null,
});

const decision: fc.Arbitrary<StepDecision> = fc.oneof(
  fc.constantFrom(...Object.values(DECISIONS)),
  fc.record({
    control: fc.constantFrom("proceed", "veto"),
    reason,
    decidedBy: fc.option(fc.string({ maxLength: 5 }), { nil: null }),
    permission: fc.constantFrom(null, "allow", "ask", "deny"),
    args,
    result: fc.option(fc.record({ output: fc.string({ unit: anyCharacter }) }), { nil: null }),
    prompt: reason,
    output: reason,
    additionalContext: fc.array(fc.string({ unit: anyCharacter, maxLength: 8 }), { maxLength: 3 }),
    reports: fc.constant([]),
    diagnostics: fc.constant([]),
    isCancelled: fc.constant(false),
  }),
);

function eventOf({ name }: HookAgent, { native }: Envelope): string {
  const named = name === "opencode" ? native.event : native.hook_event_name;
  if (typeof named === "string") return named;
  return name === "copilot" ? (findCamelEvent(native) ?? "") : "";
}

/** Everything a call does with one payload; what is wrong with the answers. */
function findBreach(
  agent: HookAgent,
  native: NativePayload,
  decision: StepDecision,
): string | null {
  const rule = ANSWER_RULES[agent.name];
  if (rule === undefined) return `\`${agent.name}\` is not in ANSWER_RULES of answer-rules.ts`;
  const silence = rule(agent.silence(native), "");
  if (silence !== null) return `silence: ${silence}`;
  const prompted = agent.readPromptToAnswer(native, PLACE);
  const told =
    prompted && agent.writePromptAnswer({ output: decision.reason ?? "", exitCode: 1 }, prompted);
  if (prompted && (told === null || rule(told, eventOf(agent, prompted)) !== null))
    return `prompt: ${told}`;
  const envelope = agent.readStep(native, PLACE);
  if (envelope === null) return null;
  const line = agent.shellLine(envelope);
  if (
    line !== null &&
    agent.shellLine({ ...envelope, args: agent.withShellLine(envelope, "x") }) !== "x"
  )
    return "the line is not where it was";
  if (!agent.filePaths(envelope).every((path) => path !== "")) return "an empty path";
  const { stdout } = agent.writeAnswer(decision, envelope);
  const wrong = rule(stdout, eventOf(agent, envelope));
  return wrong === null ? null : `${wrong}: ${stdout}`;
}

test("whatever an agent sends and whatever is decided, the answer is one the agent takes", {
  timeout: 120_000,
}, () => {
  let steps = 0;
  for (const name of HOOK_AGENT_NAMES) {
    const agent = hookAgentOf(name);
    if (agent === null) throw new Error(name);
    fc.assert(
      fc.property(payload, decision, (native, decided) => {
        expect(findBreach(agent, native, decided)).toBeNull();
        if (agent.readStep(native, PLACE) !== null) steps += 1;
      }),
      { numRuns: Math.ceil(PAYLOADS / HOOK_AGENT_NAMES.length) },
    );
  }
  // Enough of them are steps for the answers to have been tried.
  expect(steps).toBeGreaterThan(PAYLOADS / 5);
});

test("every veto before a tool is a block in every agent", () => {
  for (const [row, payloads] of Object.entries(STEP_PAYLOADS)) {
    const agent = hookAgentOf(agentOfRow(row));
    const envelope = agent?.readStep(payloads.before_tool ?? {}, PLACE);
    const decision = DECISIONS.veto;
    if (!agent || !envelope || !decision) throw new Error(row);
    const answer: unknown = JSON.parse(agent.writeAnswer(decision, envelope).stdout);
    const {
      hookSpecificOutput: specific,
      permissionDecision,
      decision: word,
      block,
    } = isRecord(answer) ? answer : {};
    const inner = isRecord(specific) ? specific.permissionDecision : undefined;
    const blocks = [inner, permissionDecision, word].includes("deny") || block === "not here";
    expect([row, blocks]).toEqual([row, true]);
  }
});
