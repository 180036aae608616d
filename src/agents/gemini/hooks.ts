// The hooks of Gemini CLI 0.61: what it honours, how its payloads are read, how it is told a decision.

import { asRecord, isRecord } from "../../core/project/json-value.ts";
import type { Envelope, NativePayload, ToolKind } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import { asList, asText } from "../log/json-fields.ts";
import {
  eventsOf,
  type HookAbilities,
  type HookAgent,
  type PromptAnswer,
  type StepContext,
  stepAbility,
  stepsByEvent,
} from "../steps/hook-agent.ts";
import { baseOf, outputText, partsText, readSnakeStep } from "../steps/read-step.ts";
import { feedbackOf, settleTool } from "../steps/settle-decision.ts";
import {
  type AnswerDraft,
  type AnswerFields,
  type AnswerInput,
  draftRefusal,
  draftStart,
  draftTurnEnd,
  draftUnrefusable,
  makeHookAgent,
  printAnswer,
  type StepAnswers,
  shownOutput,
  specificOf,
} from "../steps/write-answer.ts";
import { GEMINI_TOOLS } from "./tools.ts";

export const GEMINI_ABILITIES: HookAbilities = {
  showsSystemMessage: true,
  steps: {
    session_start: stepAbility("SessionStart", "warns", ["additional_context"]),
    before_prompt: stepAbility("BeforeAgent", "blocks", ["additional_context"]),
    // `ask` without a person hung for more than 90 s, and the payload does not say whether there is one.
    before_tool: stepAbility("BeforeTool", "blocks", ["args", "result", "permission"]),
    after_tool: stepAbility("AfterTool", "feedback", ["additional_context", "output"]),
    before_turn_end: stepAbility("AfterAgent", "continues"),
    before_compact: stepAbility("PreCompress"),
    notification: stepAbility("Notification"),
    session_end: stepAbility("SessionEnd"),
  },
  rewriteAllows: false,
  shims: "line-prefix",
  promptAnswer: "synthetic-response",
  projectVariables: ["GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  maxHookLimitMs: 900_000,
};

const GEMINI_EVENTS = eventsOf(GEMINI_ABILITIES);

// How Gemini CLI 0.61 is told a decision. Its own keys, not Claude Code's: `permissionDecision` is ignored there.

/** With an empty stdout it would take whatever is on stderr for the answer. */
const GEMINI_SILENCE = "{}";

const deny = (reason: string): AnswerFields => ({ decision: "deny", reason });

const ANSWERS: StepAnswers = {
  before_tool: draftBeforeTool,
  after_tool: ({ decision, ability, notes }) => ({
    fields: afterTool(decision, ability.event),
    notes,
  }),
  before_prompt: draftRefusal(deny),
  before_turn_end: draftTurnEnd(deny),
  session_start: draftStart,
};

/** Nothing here grants a permission, so `allow` is not said. */
function draftBeforeTool({ decision, envelope, ability }: AnswerInput): AnswerDraft {
  const settled = settleTool(decision, envelope, { ability, canAllow: false });
  const denied = settled.outcome === "deny" ? { decision: "deny", reason: settled.reason } : {};
  const rewrite = specificOf(ability.event, { tool_input: settled.args ?? undefined });
  return { fields: { ...denied, ...rewrite }, notes: settled.notes };
}

/** A denied result is replaced by the reason, which is the one way to another output; feedback only adds. */
function afterTool(decision: StepDecision, event: string): AnswerFields {
  const added = feedbackOf(decision);
  if (decision.output === null) return specificOf(event, { additionalContext: added });
  const shown = `the output was replaced by a hook:\n${decision.output}`;
  return deny(added === undefined ? shown : `${shown}\n\n${added}`);
}

const DIALECT = {
  events: stepsByEvent(GEMINI_EVENTS),
  table: GEMINI_TOOLS,
  readResult: ({ tool_response }: NativePayload) => {
    const { llmContent, error } = asRecord(tool_response);
    return {
      is_error: isRecord(error),
      output: llmContent === undefined ? outputText(tool_response) : partsText(llmContent),
    };
  },
};

export const geminiHooks: HookAgent = makeHookAgent({
  name: "gemini",
  abilities: GEMINI_ABILITIES,
  readStep,
  silence: GEMINI_SILENCE,
  answers: ANSWERS,
  otherAnswer: draftUnrefusable(),
  readPromptToAnswer,
  writePromptAnswer,
  tools: GEMINI_TOOLS,
});

function readStep(payload: NativePayload, context: StepContext): Envelope | null {
  const envelope = readSnakeStep({ agent: "gemini", payload, context }, DIALECT);
  if (envelope?.prompt !== undefined) return { ...envelope, prompt: typedPrompt(envelope.prompt) };
  if (envelope?.tool === undefined || !isRecord(payload.mcp_context)) return envelope;
  return { ...envelope, kind: "mcp" satisfies ToolKind };
}

// What 0.61 puts around the words of the person: its own context before the first prompt of a session, context of
// hooks before (SessionStart) and behind (BeforeAgent). Inside the latter angle brackets are escaped.
const AROUND = [
  /^\s*<session_context>[\s\S]*?<\/session_context>\s*/,
  /^\s*<hook_context>[^<>]*<\/hook_context>\s*/,
  /(?<!\s)\s*<hook_context>[^<>]*<\/hook_context>\s*$/,
];

const typedPrompt = (text: string): string =>
  AROUND.reduce((rest, around) => rest.replace(around, ""), text);

/** BeforeAgent can only refuse a prompt; the answer is given where the model would be asked. */
function readPromptToAnswer(payload: NativePayload, context: StepContext): Envelope | null {
  if (payload.hook_event_name !== "BeforeModel") return null;
  const last = asRecord(asList(asRecord(payload.llm_request).messages).at(-1));
  const text = asText(last.content);
  if (last.role !== "user" || text === null) return null;
  const base = baseOf({ agent: "gemini", payload, context }, "before_prompt");
  return { ...base, prompt: typedPrompt(text) };
}

/** Without `deny` the response is ignored and the model is asked. */
function writePromptAnswer(answer: PromptAnswer, { native }: Envelope): string | null {
  if (native.hook_event_name !== "BeforeModel") return null;
  const text = shownOutput(answer);
  const content = { role: "model", parts: [text] };
  return printAnswer({
    decision: "deny",
    reason: "answered without the model",
    hookSpecificOutput: {
      hookEventName: "BeforeModel",
      llm_response: { text, candidates: [{ content, finishReason: "STOP", index: 0 }] },
    },
  });
}
