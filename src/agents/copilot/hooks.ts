// The hooks of Copilot CLI 1.0.102: what it honours, how its payloads are read, how it is told a decision.

import { asRecord, isRecord } from "../../core/project/json-value.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import { asName, asText } from "../log/json-fields.ts";
import {
  askingStepAbility,
  CALL_CHANGES,
  eventsOf,
  type HookAbilities,
  type HookAgent,
  type PromptAnswer,
  type StepContext,
  stepAbility,
  stepsByEvent,
} from "../steps/hook-agent.ts";
import {
  argumentsOf,
  baseOf,
  outputText,
  readSnakeStep,
  type StepSource,
  stepFields,
  turnEndFields,
} from "../steps/read-step.ts";
import {
  contextOf,
  describeUnhonoured,
  feedbackOf,
  isVeto,
  permissionAnswer,
  settleTool,
  toolAnswer,
} from "../steps/settle-decision.ts";
import {
  type AnswerDraft,
  type AnswerFields,
  type AnswerInput,
  draftTurnEnd,
  draftUnrefusable,
  makeHookAgent,
  printAnswer,
  refusalFields,
  type StepAnswers,
  shownOutput,
  specificOf,
} from "../steps/write-answer.ts";
import { COPILOT_TOOLS, PASCAL_EVENTS } from "./tools.ts";

export const COPILOT_ABILITIES: HookAbilities = {
  steps: {
    session_start: stepAbility("sessionStart", "none", ["additional_context"]),
    before_prompt: stepAbility("userPromptSubmitted", "blocks", ["prompt", "additional_context"]),
    before_tool: askingStepAbility("preToolUse", CALL_CHANGES),
    after_tool: stepAbility("postToolUse", "feedback", ["additional_context", "output"]),
    before_permission: askingStepAbility("permissionRequest", ["permission"]),
    before_turn_end: stepAbility("agentStop", "continues"),
    before_compact: stepAbility("preCompact"),
    subagent_start: stepAbility("subagentStart", "none", ["additional_context"]),
    subagent_end: stepAbility("subagentStop", "continues"),
    notification: stepAbility("notification"),
    session_end: stepAbility("sessionEnd"),
  },
  rewriteAllows: false,
  shims: "line-prefix",
  promptAnswer: "handled",
  projectVariables: ["COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  maxHookLimitMs: 900_000,
};

export const COPILOT_EVENTS = eventsOf(COPILOT_ABILITIES, { after_tool: "postToolUseFailure" });

// Copilot's own payloads do not name their event (only permissionRequest does), so it is told by the fields each
// has alone; measured on 1.0.102.

type CamelRule = readonly [string, (has: (key: string) => boolean) => boolean];

// The first rule that fits names the event.
const RULES: readonly CamelRule[] = [
  ["postToolUse", (has) => has("toolName") && has("toolResult")],
  ["postToolUseFailure", (has) => has("toolName") && has("error")],
  ["preToolUse", (has) => has("toolName")],
  ["errorOccurred", (has) => has("error")],
  ["userPromptTransformed", (has) => has("transformedPrompt")],
  ["subagentStop", (has) => has("agentName") && (has("stopReason") || has("stop_hook_active"))],
  ["agentStop", (has) => has("stopReason") || has("stop_hook_active")],
  ["subagentStart", (has) => has("agentName")],
  ["sessionStart", (has) => has("source")],
  ["userPromptSubmitted", (has) => has("prompt")],
  ["preCompact", (has) => has("trigger")],
  ["notification", (has) => has("message")],
  ["sessionEnd", (has) => has("reason")],
];

/** Null for a payload that looks like none of them. */
export function findCamelEvent(payload: NativePayload): string | null {
  if (typeof payload.hookName === "string") return payload.hookName;
  const has = (key: string): boolean => Object.hasOwn(payload, key);
  return RULES.find(([, fits]) => fits(has))?.[0] ?? null;
}

const CAMEL_STEPS = stepsByEvent(COPILOT_EVENTS);

const PASCAL = {
  events: new Map(PASCAL_EVENTS),
  table: COPILOT_TOOLS,
  readResult: readPascalResult,
};

/** Claude Code's event names bring Claude Code's payload and want its answers. */
const isPascal = ({ native }: Envelope): boolean => typeof native.hook_event_name === "string";

function readCopilotStep(payload: NativePayload, context: StepContext): Envelope | null {
  const version = asName(context.env.COPILOT_CLI_BINARY_VERSION);
  const source = { agent: "copilot", version, payload, context };
  return typeof payload.hook_event_name === "string"
    ? readSnakeStep(source, PASCAL)
    : readCamelStep(source);
}

function readCamelStep(source: StepSource): Envelope | null {
  const step = CAMEL_STEPS.get(findCamelEvent(source.payload));
  if (step === undefined) return null;
  return { ...baseOf(source, step), ...stepFields(step, source.payload, CAMEL) };
}

const CAMEL = {
  table: COPILOT_TOOLS,
  readCall: camelCall,
  readResult: readCamelResult,
  own: {
    before_compact: () => ({ tokens: null }),
    subagent_start: agentType,
    subagent_end: (payload: NativePayload) => ({
      ...agentType(payload),
      ...turnEndFields(payload),
    }),
  },
};

function agentType({ agentName }: NativePayload) {
  return { agent_type: asText(agentName) ?? "" };
}

function camelCall({ toolName, toolArgs, toolInput }: NativePayload) {
  return { tool: asText(toolName) ?? "", args: argumentsOf(toolArgs ?? toolInput) };
}

function readCamelResult({ toolResult, error }: NativePayload) {
  if (toolResult === undefined) return { is_error: true, output: errorText(error) };
  return readResultObject(toolResult, "resultType", "textResultForLlm");
}

function readPascalResult({ hook_event_name, tool_response, tool_result, error }: NativePayload) {
  if (hook_event_name === "PostToolUseFailure") return { is_error: true, output: errorText(error) };
  const result = tool_result ?? tool_response;
  const isSnake = Object.hasOwn(asRecord(result), "text_result_for_llm");
  return isSnake
    ? readResultObject(result, "result_type", "text_result_for_llm")
    : readResultObject(result, "resultType", "textResultForLlm");
}

function readResultObject(result: unknown, typeKey: string, textKey: string) {
  const fields = asRecord(result);
  const type = asText(fields[typeKey]);
  return {
    is_error: type !== null && type !== "success",
    output: asText(fields[textKey]) ?? outputText(result),
  };
}

const errorText = (error: unknown): string =>
  isRecord(error) ? (asText(error.message) ?? outputText(error)) : outputText(error);

// How Copilot CLI 1.0.102 is told a decision: flat, but before a tool in `hookSpecificOutput` under Claude Code's
// event names, where the flat form of a rewrite is ignored; elsewhere that form is ignored under both.

const ANSWERS: StepAnswers = {
  before_tool: draftBeforeTool,
  before_permission: ({ decision, notes }) => ({ fields: permissionAnswer(decision) ?? {}, notes }),
  before_prompt: ({ decision, notes }) => ({ fields: promptFields(decision), notes }),
  after_tool: draftAfterTool,
  before_turn_end: draftTurnEnd(),
  subagent_end: draftTurnEnd(),
};

const otherAnswer = draftUnrefusable((decision, { changes }) =>
  changes.length === 0 ? {} : { additionalContext: contextOf(decision) },
);

function draftBeforeTool({ decision, envelope, ability }: AnswerInput): AnswerDraft {
  const settled = settleTool(decision, envelope, { ability, canAllow: true });
  const { notes, context: additionalContext } = settled;
  const answer = toolAnswer(settled);
  const args = settled.args ?? undefined;
  const fields = isPascal(envelope)
    ? specificOf("PreToolUse", { ...answer, updatedInput: args, additionalContext })
    : { ...answer, modifiedArgs: args, additionalContext };
  return { fields, notes };
}

function promptFields(decision: StepDecision): AnswerFields {
  if (isVeto(decision)) return refusalFields(decision);
  return {
    modifiedPrompt: decision.prompt ?? undefined,
    additionalContext: contextOf(decision),
  };
}

/** Feedback is context here; a block after the fact is not known. A call that failed has no result to replace. */
function draftAfterTool({ decision, envelope }: AnswerInput): AnswerDraft {
  const { native, is_error } = envelope;
  const keys = isPascal(envelope) ? ["tool_result", "tool_response"] : ["toolResult"];
  const hasResult = keys.some((key) => key in native);
  const modifiedResult =
    decision.output === null || !hasResult
      ? undefined
      : {
          resultType: is_error === true ? "failure" : "success",
          textResultForLlm: decision.output,
        };
  const can = hasResult ? ["additional_context", "output"] : ["additional_context"];
  return {
    fields: { modifiedResult, additionalContext: feedbackOf(decision) },
    notes: describeUnhonoured(decision, envelope, can),
  };
}

export const copilotHooks: HookAgent = makeHookAgent({
  name: "copilot",
  abilities: COPILOT_ABILITIES,
  readStep: readCopilotStep,
  answers: ANSWERS,
  otherAnswer,
  readPromptToAnswer,
  writePromptAnswer,
  tools: COPILOT_TOOLS,
});

function readPromptToAnswer(payload: NativePayload, context: StepContext): Envelope | null {
  const envelope = readCopilotStep(payload, context);
  return envelope?.step === "before_prompt" ? envelope : null;
}

function writePromptAnswer(answer: PromptAnswer, { step }: Envelope): string | null {
  if (step !== "before_prompt") return null;
  return printAnswer({ handled: true, responseContent: shownOutput(answer) });
}
