import { asFlag, asRecord, asText } from "../../../agents/json-fields.ts";
import type { Envelope, NativePayload } from "../../envelope.ts";
import { outputText } from "../build-envelope.ts";
import type { HookAgent, StepPlace } from "../hook-agent.ts";
import { readSnakeStep } from "../snake-steps.ts";
import { stepsByEvent } from "../step-abilities.ts";
import { readCalls } from "../tool-table.ts";
import { CODEX_ABILITIES, CODEX_EVENTS } from "./abilities.ts";
import { writeCodexAnswer } from "./answer.ts";
import { CODEX_TOOLS } from "./tools.ts";

const DIALECT = {
  events: stepsByEvent(CODEX_EVENTS),
  table: CODEX_TOOLS,
  readResult,
};

export const codexHooks: HookAgent = {
  name: "codex",
  abilities: CODEX_ABILITIES,
  readStep: (payload: NativePayload, place: StepPlace): Envelope | null =>
    readSnakeStep({ agent: "codex", payload, place }, DIALECT),
  silence: () => "",
  writeAnswer: writeCodexAnswer,
  // A blocked prompt makes no model call, but 0.166 shows its reason nowhere.
  readPromptToAnswer: () => null,
  writePromptAnswer: () => null,
  ...readCalls(CODEX_TOOLS),
};

/** A shell's result is the bare text, without its exit code; an MCP server's says whether it failed. */
function readResult({ tool_response }: NativePayload) {
  const isError = asFlag(asRecord(tool_response).isError);
  return {
    output: asText(tool_response) ?? outputText(tool_response),
    ...(isError === null ? {} : { is_error: isError }),
  };
}
