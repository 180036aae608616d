// What each agent accepts as an answer, written down from its protocol and not from our code. Each rule returns
// what is wrong with an answer, or null.
import { isRecord, type JsonRecord } from "../../../src/core/project/json-value.ts";

export type AnswerRule = (stdout: string, event: string) => string | null;

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === "string";
const said: Check = (value) => typeof value === "string" && value.trim() !== "";
const object: Check = isRecord;
const flag: Check = (value) => typeof value === "boolean";
const anything: Check = () => true;
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const texts: Check = (value) => Array.isArray(value) && value.every((item) => said(item));

function breach(value: unknown, shape: Shape, where = ""): string | null {
  if (!isRecord(value)) return `${where || "answer"} is no object`;
  for (const [key, inner] of Object.entries(value)) {
    const check = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (check === undefined) return `${where}${key} is not known`;
    if (!check(inner)) return `${where}${key} is ${JSON.stringify(inner)}`;
  }
  return null;
}

const shaped =
  (shape: Shape, ...needed: readonly string[]): Check =>
  (value) =>
    breach(value, shape) === null && needed.every((key) => isRecord(value) && key in value);

function parse(stdout: string): JsonRecord | string {
  try {
    const value: unknown = JSON.parse(stdout);
    if (!isRecord(value)) return "no object";
    return isMended(value) ? value : "half of a surrogate pair";
  } catch {
    return "no JSON";
  }
}

function isMended(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isMended(inner));
}

function ruleOf(shapes: (event: string) => Shape, more: (answer: JsonRecord) => string | null) {
  return (stdout: string, event: string): string | null => {
    if (stdout === "") return null;
    const answer = parse(stdout);
    if (typeof answer === "string") return answer;
    return breach(answer, shapes(event)) ?? more(answer);
  };
}

const permission = shaped({ behavior: oneOf("allow", "deny"), message: said }, "behavior");

/** `hookSpecificOutput` of Claude Code and those who took it over. */
const specific = (event: string, shape: Shape): Shape => ({
  hookSpecificOutput: shaped({ hookEventName: oneOf(event), ...shape }, "hookEventName"),
});

const CLAUDE_COMMON: Shape = {
  continue: flag,
  stopReason: said,
  systemMessage: said,
  decision: oneOf("block"),
  reason: text,
};

const CLAUDE_SPECIFIC: Readonly<Record<string, Shape>> = {
  PreToolUse: {
    permissionDecision: oneOf("allow", "deny", "ask"),
    permissionDecisionReason: said,
    updatedInput: object,
    additionalContext: said,
  },
  PermissionRequest: { decision: permission },
  PostToolUse: { additionalContext: said, updatedToolOutput: anything, updatedMCPToolOutput: text },
  PostToolUseFailure: { additionalContext: said },
  UserPromptSubmit: { additionalContext: said, suppressOriginalPrompt: flag },
  SessionStart: { additionalContext: said },
  SubagentStart: { additionalContext: said },
};

const denyHasReason = ({ hookSpecificOutput: specific }: JsonRecord): string | null =>
  isRecord(specific) &&
  specific.permissionDecision === "deny" &&
  !said(specific.permissionDecisionReason)
    ? "a deny without a reason"
    : null;

const blockHasReason = ({ decision, reason }: JsonRecord): string | null =>
  decision !== undefined && !text(reason) ? "a block without a reason" : null;

const claude = ruleOf(
  (event) => ({ ...CLAUDE_COMMON, ...specific(event, CLAUDE_SPECIFIC[event] ?? {}) }),
  (answer) => blockHasReason(answer) ?? denyHasReason(answer),
);

// Codex 0.166, from the JSON schemas in its program and what its parser calls unsupported.
const GOING_ON: Shape = { continue: flag, stopReason: said, systemMessage: said };
const BLOCK: Shape = { decision: oneOf("block"), reason: said };
const CODEX: Readonly<Record<string, Shape>> = {
  PreToolUse: {
    ...BLOCK,
    systemMessage: said,
    ...specific("PreToolUse", {
      permissionDecision: oneOf("allow", "deny"),
      permissionDecisionReason: said,
      updatedInput: object,
      additionalContext: said,
    }),
  },
  PermissionRequest: {
    systemMessage: said,
    ...specific("PermissionRequest", { decision: permission }),
  },
  PostToolUse: {
    ...GOING_ON,
    ...BLOCK,
    ...specific("PostToolUse", { additionalContext: said }),
  },
  UserPromptSubmit: {
    ...GOING_ON,
    ...BLOCK,
    ...specific("UserPromptSubmit", { additionalContext: said }),
  },
  SessionStart: { ...GOING_ON, ...specific("SessionStart", { additionalContext: said }) },
  SubagentStart: { ...GOING_ON, ...specific("SubagentStart", { additionalContext: said }) },
  Stop: { ...GOING_ON, ...BLOCK },
  SubagentStop: { ...GOING_ON, ...BLOCK },
  PreCompact: GOING_ON,
  PostCompact: GOING_ON,
};

function codexMeaning(answer: JsonRecord): string | null {
  const { permissionDecision, updatedInput } = isRecord(answer.hookSpecificOutput)
    ? answer.hookSpecificOutput
    : {};
  if ((permissionDecision === "allow") !== (updatedInput !== undefined))
    return "allow and updatedInput without each other";
  return (
    denyHasReason(answer) ??
    ((answer.decision === undefined) === (answer.reason === undefined)
      ? null
      : "decision and reason without each other")
  );
}

const codex = ruleOf((event) => CODEX[event] ?? {}, codexMeaning);

const GEMINI_SPECIFIC: Readonly<Record<string, Shape>> = {
  BeforeTool: { tool_input: object },
  AfterTool: { additionalContext: said },
  BeforeAgent: { additionalContext: said },
  SessionStart: { additionalContext: said },
  BeforeModel: { llm_response: shaped({ text, candidates: Array.isArray }, "candidates") },
};

/** Never `ask`, which waits for a person for ever; never empty, for then stderr is the answer. */
const geminiFields = ruleOf(
  (event) => ({
    decision: oneOf("deny"),
    reason: said,
    systemMessage: said,
    ...specific(event, GEMINI_SPECIFIC[event] ?? {}),
  }),
  blockHasReason,
);
const gemini: AnswerRule = (stdout, event) =>
  stdout === "" ? "empty" : geminiFields(stdout, event);

const QWEN_SPECIFIC: Readonly<Record<string, Shape>> = {
  ...CLAUDE_SPECIFIC,
  // Never allow: it would undo the deny of others.
  PreToolUse: {
    permissionDecision: oneOf("deny", "ask"),
    permissionDecisionReason: said,
    additionalContext: said,
  },
  PostToolUse: { additionalContext: said },
};

const qwen = ruleOf(
  (event) => ({ ...CLAUDE_COMMON, ...specific(event, QWEN_SPECIFIC[event] ?? {}) }),
  (answer) => {
    const { permissionDecision } = isRecord(answer.hookSpecificOutput)
      ? answer.hookSpecificOutput
      : {};
    const isRestricted = permissionDecision !== undefined;
    if (isRestricted && !(answer.continue === false && said(answer.stopReason)))
      return "a restriction that a sibling's allow would undo";
    return blockHasReason(answer) ?? denyHasReason(answer);
  },
);

const BEFORE_TOOL: Shape = {
  permissionDecision: oneOf("allow", "deny", "ask"),
  permissionDecisionReason: said,
  additionalContext: said,
};
const RESULT = shaped(
  { resultType: oneOf("success", "failure"), textResultForLlm: text },
  "resultType",
  "textResultForLlm",
);
const COPILOT: Readonly<Record<string, Shape>> = {
  sessionStart: { additionalContext: said },
  subagentStart: { additionalContext: said },
  userPromptSubmitted: {
    ...BLOCK,
    modifiedPrompt: text,
    additionalContext: said,
    handled: oneOf(true),
    responseContent: text,
  },
  preToolUse: { ...BEFORE_TOOL, modifiedArgs: object },
  postToolUse: { modifiedResult: RESULT, additionalContext: said },
  postToolUseFailure: { additionalContext: said },
  permissionRequest: { behavior: oneOf("allow", "deny"), message: said },
  agentStop: BLOCK,
  subagentStop: BLOCK,
  // Under Claude Code's names `hookSpecificOutput` counts before a tool only.
  SessionStart: { additionalContext: said },
  UserPromptSubmit: {
    ...BLOCK,
    modifiedPrompt: text,
    additionalContext: said,
    handled: oneOf(true),
    responseContent: text,
  },
  PreToolUse: specific("PreToolUse", { ...BEFORE_TOOL, updatedInput: object }),
  PostToolUse: { modifiedResult: RESULT, additionalContext: said },
  PostToolUseFailure: { modifiedResult: RESULT, additionalContext: said },
  PermissionRequest: { behavior: oneOf("allow", "deny"), message: said },
  Stop: BLOCK,
  SubagentStop: BLOCK,
  SubagentStart: { additionalContext: said },
};

const copilot = ruleOf(
  (event) => COPILOT[event] ?? {},
  (answer) =>
    answer.permissionDecision === "deny" && !said(answer.permissionDecisionReason)
      ? "a deny without a reason"
      : (blockHasReason(answer) ?? denyHasReason(answer)),
);

const opencode = ruleOf(
  () => ({
    block: said,
    args: object,
    context: texts,
    prompt: text,
    output: text,
    continue: said,
    permission: oneOf("allow", "ask", "deny"),
  }),
  () => null,
);

export const ANSWER_RULES: Readonly<Record<string, AnswerRule>> = {
  "claude-code": claude,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
};
