// The hooks of Claude Code 2.1.325: what it honours, how its payloads are read, how it is told a decision.
import { join } from "node:path";
import { listReadable } from "../../core/project/files.ts";
import { asRecord, isRecord } from "../../core/project/json-value.ts";
import { readJsonObject } from "../../core/project/kept-value.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import { asFlag, asName, asText } from "../log/json-fields.ts";
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
import { agentHome, type InstallContext } from "../steps/installer.ts";
import { outputText, readSnakeStep } from "../steps/read-step.ts";
import { contextOf, leftOut, settleTool, toolAnswer } from "../steps/settle-decision.ts";
import {
  type AnswerDraft,
  type AnswerInput,
  draftPermission,
  draftRefusal,
  draftStart,
  draftTurnEnd,
  makeHookAgent,
  printAnswer,
  refusalFields,
  type StepAnswers,
  shownOutput,
  specificOf,
} from "../steps/write-answer.ts";
import { CLAUDE_TOOLS } from "./tools.ts";

export const CLAUDE_ABILITIES: HookAbilities = {
  showsSystemMessage: true,
  steps: {
    session_start: stepAbility("SessionStart", "warns", ["additional_context"]),
    before_prompt: stepAbility("UserPromptSubmit", "blocks", ["additional_context"]),
    before_tool: askingStepAbility("PreToolUse", CALL_CHANGES),
    after_tool: stepAbility("PostToolUse", "feedback", ["additional_context", "output"]),
    before_permission: askingStepAbility("PermissionRequest", ["permission"]),
    before_turn_end: stepAbility("Stop", "continues"),
    before_compact: stepAbility("PreCompact", "blocks"),
    after_compact: stepAbility("PostCompact"),
    subagent_start: stepAbility("SubagentStart", "warns", ["additional_context"]),
    subagent_end: stepAbility("SubagentStop", "continues"),
    notification: stepAbility("Notification"),
    session_end: stepAbility("SessionEnd"),
  },
  rewriteAllows: false,
  shims: "env-file",
  envFileVariable: "CLAUDE_ENV_FILE",
  promptAnswer: "blocked-prompt",
  projectVariables: ["CLAUDE_PROJECT_DIR"],
  hookLimitMs: 60_000,
  maxHookLimitMs: 900_000,
};

export const CLAUDE_EVENTS = eventsOf(CLAUDE_ABILITIES, { after_tool: "PostToolUseFailure" });

// A tool's result in Claude Code: a structure of the tool's own, which a replacement must have as well (2.1.325
// ignores a text for Bash).

function readClaudeResult(payload: NativePayload) {
  if (payload.hook_event_name === "PostToolUseFailure")
    return { is_error: true, output: outputText(payload.error) };
  const response = payload.tool_response;
  const isError = isRecord(response) && asFlag(response.is_error) === true;
  return { is_error: isError, output: textOf(response) };
}

function textOf(response: unknown): string {
  const { stdout, stderr, file } = asRecord(response);
  const printed = [asText(stdout), asText(stderr)].filter((text) => text !== null && text !== "");
  if (typeof stdout === "string") return printed.join("\n");
  return asText(asRecord(file).content) ?? outputText(response);
}

/** Null where the shape of this tool's result is not known. */
function toolOutputFields({ native, kind }: Envelope, output: string) {
  if (native.hook_event_name !== "PostToolUse") return null;
  if (kind === "mcp") return { updatedMCPToolOutput: output };
  const response = native.tool_response;
  if (typeof response === "string") return { updatedToolOutput: output };
  const { stdout, file } = asRecord(response);
  if (typeof stdout === "string")
    return { updatedToolOutput: { ...asRecord(response), stdout: output, stderr: "" } };
  if (typeof asRecord(file).content !== "string") return null;
  const numLines = output.split("\n").length;
  const replaced = { ...asRecord(file), content: output, numLines };
  return { updatedToolOutput: { ...asRecord(response), file: replaced } };
}

// How Claude Code 2.1.325 is told a decision. `hookSpecificOutput` without its event's name, or with a wrong one,
// voids the answer and the tool runs.

/** "No opinion": exactly what a hook without an opinion prints there. */
const CLAUDE_SILENCE = "{}";

const ANSWERS: StepAnswers = {
  before_tool: draftBeforeTool,
  after_tool: draftAfterTool,
  before_permission: draftPermission,
  session_start: draftStart,
  subagent_start: draftStart,
  before_prompt: draftRefusal(),
  // Context alone would carry the turn on, uncounted.
  before_turn_end: draftTurnEnd(),
  subagent_end: draftTurnEnd(),
  before_compact: draftTurnEnd(),
};

function draftBeforeTool({ decision, envelope, ability }: AnswerInput): AnswerDraft {
  const settled = settleTool(decision, envelope, { ability, canAllow: true });
  const specific = {
    ...toolAnswer(settled),
    updatedInput: settled.args ?? undefined,
    additionalContext: settled.context,
  };
  return {
    fields: specificOf(envelope.native.hook_event_name, specific),
    notes: settled.notes,
  };
}

function draftAfterTool({ decision, envelope, notes }: AnswerInput): AnswerDraft {
  const { output } = decision;
  const replaced = output === null ? {} : toolOutputFields(envelope, output);
  const specific = { ...replaced, additionalContext: contextOf(decision) };
  return {
    fields: {
      ...refusalFields(decision),
      ...specificOf(envelope.native.hook_event_name, specific),
    },
    notes: replaced === null ? [...notes, leftOut("output", envelope)] : notes,
  };
}

const DIALECT = {
  events: stepsByEvent(CLAUDE_EVENTS),
  table: CLAUDE_TOOLS,
  readResult: readClaudeResult,
};

export const claudeCodeHooks: HookAgent = makeHookAgent({
  name: "claude-code",
  abilities: CLAUDE_ABILITIES,
  readStep,
  hasOwnRule,
  silence: CLAUDE_SILENCE,
  answers: ANSWERS,
  readPromptToAnswer,
  writePromptAnswer,
  tools: CLAUDE_TOOLS,
});

function readStep(payload: NativePayload, context: StepContext): Envelope | null {
  const version = versionOf(asName(context.env.AI_AGENT));
  return readSnakeStep({ agent: "claude-code", version, payload, context }, DIALECT);
}

/** `claude-code_2-1-325_harness` */
const versionOf = (text: string | null): string | null =>
  /^claude-code_(\d+(?:-\d+)+)/.exec(text ?? "")?.[1]?.replaceAll("-", ".") ?? null;

function readPromptToAnswer(payload: NativePayload, context: StepContext): Envelope | null {
  return payload.hook_event_name === "UserPromptSubmit" ? readStep(payload, context) : null;
}

/** A blocked prompt shows its reason and makes no model call; without the echo of the prompt it is an answer. */
function writePromptAnswer(answer: PromptAnswer, { native }: Envelope): string | null {
  if (native.hook_event_name !== "UserPromptSubmit") return null;
  return printAnswer({
    decision: "block",
    reason: shownOutput(answer),
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", suppressOriginalPrompt: true },
  });
}

// The person's own permission rules in Claude Code. It tests them on what a hook made of a line, so a rule about
// `adj-NAME` would miss a call that was answered: such a line has to stay as it was typed (2.1.325).

const MANAGED = "/etc/claude-code/managed-settings";

/** Whether a rule of any layer denies the line or wants to be asked about it. */
export function hasOwnRule(line: string, target: InstallContext): boolean {
  const home = agentHome(target, "CLAUDE_CONFIG_DIR", ".claude");
  // A project's are read where it is started, which may be below the root.
  const folders = [target.root, target.env.CLAUDE_PROJECT_DIR ?? target.root];
  const files = [
    join(home, "settings.json"),
    ...folders.flatMap((folder) =>
      ["settings.json", "settings.local.json"].map((name) => join(folder, ".claude", name)),
    ),
    `${MANAGED}.json`,
    ...listReadable(`${MANAGED}.d`).map((name) => join(`${MANAGED}.d`, name)),
  ];
  return files.some((file) => rulesIn(file).some((rule) => isAbout(rule, line.trim())));
}

function rulesIn(file: string): unknown[] {
  const { deny, ask } = asRecord(readJsonObject(file)?.permissions);
  return [deny, ask].flatMap((rules) => (Array.isArray(rules) ? rules : []));
}

/** `Bash`, `Bash(adj-x)`, `Bash(adj-x:*)`, `Bash(adj-* list)`. */
function isAbout(rule: unknown, line: string): boolean {
  if (rule === "Bash") return true;
  const inside = typeof rule === "string" ? /^Bash\((.*)\)$/s.exec(rule)?.[1] : undefined;
  if (inside === undefined) return false;
  if (!inside.endsWith(":*")) return matchesStars(inside, line);
  const prefix = inside.slice(0, -2);
  return line === prefix || matchesStars(`${prefix} *`, line);
}

/** Each piece at the first place it has; none is ever tried twice. */
function matchesStars(pattern: string, line: string): boolean {
  const pieces = pattern.split("*");
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return pattern === line;
  // A rule that ends in ` *` is about the command without words, too.
  if (last === "" && `${line} `.startsWith(first) && pieces.length === 2) return true;
  if (!line.startsWith(first) || !line.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = line.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at + last.length <= line.length;
}
