// The hooks of opencode 1.18.33, by our plugin: what it honours, how its payloads are read, how it is told a decision.
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import { asCount, asFlag, asName, asText } from "../log/json-fields.ts";
import {
  askingStepAbility,
  CALL_CHANGES,
  eventsOf,
  type HookAbilities,
  type HookAgent,
  type StepContext,
  stepAbility,
  stepsByEvent,
} from "../steps/hook-agent.ts";
import { argumentsOf, baseOf, outputText, stepFields } from "../steps/read-step.ts";
import { contextOf, feedbackOf, isVeto, reasonOf, settleTool } from "../steps/settle-decision.ts";
import {
  type AnswerDraft,
  type AnswerFields,
  type AnswerInput,
  draftTurnEnd,
  draftUnrefusable,
  makeHookAgent,
  type StepAnswers,
} from "../steps/write-answer.ts";
import { OPENCODE_TOOLS } from "./tools.ts";

export const PLUGIN_LIMIT_MS = 60_000;

// What our plugin can do inside opencode 1.18.33.

export const OPENCODE_ABILITIES: HookAbilities = {
  steps: {
    session_start: stepAbility("session.start", "none", ["additional_context"]),
    before_prompt: stepAbility("chat.message", "blocks", ["prompt", "additional_context"]),
    before_tool: stepAbility("tool.execute.before", "blocks", CALL_CHANGES),
    after_tool: stepAbility("tool.execute.after", "feedback", ["additional_context", "output"]),
    before_permission: askingStepAbility("permission.ask", ["permission"]),
    before_turn_end: stepAbility("session.idle", "continues"),
    before_compact: stepAbility("session.compacting", "none", ["additional_context"]),
    after_compact: stepAbility("session.compacted"),
    session_end: stepAbility("session.deleted"),
  },
  rewriteAllows: false,
  // The plugin names an environment file at session start, as Claude Code does, and passes on what it sets.
  shims: "env-file",
  envFileVariable: "CLAUDE_ENV_FILE",
  promptAnswer: "none",
  projectVariables: [],
  hookLimitMs: PLUGIN_LIMIT_MS,
  // opencode itself waits for its plugins without a limit; this is the plugin's own.
  maxHookLimitMs: 900_000,
};

const OPENCODE_EVENTS = eventsOf(OPENCODE_ABILITIES);

// What our plugin is told; the keys are ours.

const OPENCODE_SILENCE = "{}";

const listOf = (context: string | undefined) => (context === undefined ? undefined : [context]);

const ANSWERS: StepAnswers = {
  before_tool: draftBeforeTool,
  before_permission: ({ decision, notes }) => ({ fields: permissionFields(decision), notes }),
  before_prompt: ({ decision, notes }) => ({ fields: promptFields(decision), notes }),
  after_tool: ({ decision, notes }) => ({
    fields: { output: decision.output ?? undefined, context: listOf(feedbackOf(decision)) },
    notes,
  }),
  before_turn_end: draftTurnEnd((reason) => ({ continue: reason })),
};

const otherAnswer = draftUnrefusable((decision, { changes }) =>
  changes.length === 0 ? {} : { context: listOf(contextOf(decision)) },
);

function draftBeforeTool({ decision, envelope, ability }: AnswerInput): AnswerDraft {
  const settled = settleTool(decision, envelope, { ability, canAllow: false });
  const { outcome, reason, args, context, notes } = settled;
  if (outcome === "deny") return { fields: { block: reason }, notes };
  return { fields: { args: args ?? undefined, context: listOf(context) }, notes };
}

function permissionFields(decision: StepDecision): AnswerFields {
  if (isVeto(decision)) return { permission: "deny" };
  return { permission: decision.permission ?? undefined };
}

function promptFields(decision: StepDecision): AnswerFields {
  if (isVeto(decision)) return { block: reasonOf(decision) };
  return { prompt: decision.prompt ?? undefined, context: listOf(contextOf(decision)) };
}

// The payloads of our own plugin: `event` names the step by opencode's word for it.

const STEPS = stepsByEvent(OPENCODE_EVENTS);

export const opencodeHooks: HookAgent = makeHookAgent({
  name: "opencode",
  abilities: OPENCODE_ABILITIES,
  readStep,
  silence: OPENCODE_SILENCE,
  answers: ANSWERS,
  otherAnswer,
  tools: OPENCODE_TOOLS,
});

function readStep(payload: NativePayload, context: StepContext): Envelope | null {
  const step = STEPS.get(payload.event);
  if (step === undefined) return null;
  const version = asName(payload.version);
  return {
    ...baseOf({ agent: "opencode", version, payload, context }, step),
    ...stepFields(step, payload, DIALECT),
  };
}

const DIALECT = {
  table: OPENCODE_TOOLS,
  readCall: ({ tool, args }: NativePayload) => ({
    tool: asText(tool) ?? "",
    args: argumentsOf(args),
  }),
  readResult: ({ is_error, output }: NativePayload) => ({
    is_error: asFlag(is_error) ?? false,
    output: outputText(output),
  }),
  own: {
    // The one agent that counts: it is our plugin that carries a turn on.
    before_turn_end: ({ continues_so_far }: NativePayload) => {
      const count = asCount(continues_so_far);
      return { stop_reason: null, ...(count === null ? {} : { continues_so_far: count }) };
    },
    before_compact: () => ({ tokens: null }),
    after_compact: () => ({ tokens: null }),
    session_end: () => ({ reason: "deleted" }),
  },
};
