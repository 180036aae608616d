import { asList, asRecord, asText, isRecord } from "../../../agents/json-fields.ts";
import type { ToolKind } from "../../../agents/tool-kind.ts";
import type { Envelope, NativePayload } from "../../envelope.ts";
import { baseOf, outputText, partsText } from "../build-envelope.ts";
import type { HookAgent, PromptAnswer, StepPlace } from "../hook-agent.ts";
import { printAnswer, shownOutput } from "../print-answer.ts";
import { readSnakeStep } from "../snake-steps.ts";
import { stepsByEvent } from "../step-abilities.ts";
import { readCalls } from "../tool-table.ts";
import { GEMINI_ABILITIES, GEMINI_EVENTS } from "./abilities.ts";
import { GEMINI_SILENCE, writeGeminiAnswer } from "./answer.ts";
import { GEMINI_TOOLS } from "./tools.ts";

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

export const geminiHooks: HookAgent = {
  name: "gemini",
  abilities: GEMINI_ABILITIES,
  readStep,
  silence: () => GEMINI_SILENCE,
  writeAnswer: writeGeminiAnswer,
  readPromptToAnswer,
  writePromptAnswer,
  ...readCalls(GEMINI_TOOLS),
};

function readStep(payload: NativePayload, place: StepPlace): Envelope | null {
  const envelope = readSnakeStep({ agent: "gemini", payload, place }, DIALECT);
  if (envelope?.prompt !== undefined) return { ...envelope, prompt: typedPrompt(envelope.prompt) };
  if (envelope?.tool === undefined || !isRecord(payload.mcp_context)) return envelope;
  return { ...envelope, kind: "mcp" satisfies ToolKind };
}

// What 0.61 puts around the words of the person: its own context before the first prompt of a session, context of
// hooks before (SessionStart) and behind (BeforeAgent). Inside the latter angle brackets are escaped.
const AROUND = [
  /^\s*<session_context>[\s\S]*?<\/session_context>\s*/,
  /^\s*<hook_context>[^<>]*<\/hook_context>\s*/,
  /\s*<hook_context>[^<>]*<\/hook_context>\s*$/,
];

const typedPrompt = (text: string): string =>
  AROUND.reduce((rest, around) => rest.replace(around, ""), text);

/** BeforeAgent can only refuse a prompt; the answer is given where the model would be asked. */
function readPromptToAnswer(payload: NativePayload, place: StepPlace): Envelope | null {
  if (payload.hook_event_name !== "BeforeModel") return null;
  const last = asRecord(asList(asRecord(payload.llm_request).messages).at(-1));
  const text = asText(last.content);
  if (last.role !== "user" || text === null) return null;
  const base = baseOf({ agent: "gemini", payload, place }, "before_prompt");
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
