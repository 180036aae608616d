// Any agent's step as Claude Code would have told it, so that hook scripts written for Claude Code run everywhere.
import { resolve } from "node:path";
import {
  asRecord,
  isRecord,
  type JsonRecord,
  parseJsonObject,
} from "../../core/project/json-value.ts";
import type { Envelope, ToolArguments } from "../../core/step/envelope.ts";
import { isTurnEnd, STEP_RULES, type StepName } from "../../core/step/step.ts";
import type { Permission, Verdict, VerdictReading } from "../../core/step/verdict.ts";
import { asName, asText } from "../log/json-fields.ts";
import { outputText } from "../steps/read-step.ts";
import { findTool, patchPaths, type ToolEntry, type ToolTable } from "../steps/tool-table.ts";
import { CLAUDE_ABILITIES } from "./hooks.ts";

type ClaudePayload = Record<string, unknown>;

/** Empty for steps Claude Code has not. */
function claudeEventOf({ step, is_error }: Pick<Envelope, "step" | "is_error">): string {
  const event = CLAUDE_ABILITIES.steps[step]?.event ?? "";
  return event === "PostToolUse" && is_error === true ? "PostToolUseFailure" : event;
}

/** The arguments of a patch that Claude Code's Edit has not; they are taken out again on the way back. */
const PATCHED = ["file_path", "file_paths"];

/** `tools` are those of the agent whose step it is. */
export function toClaudePayload(envelope: Envelope, tools: ToolTable): ClaudePayload {
  if (envelope.agent === "claude-code") return { ...envelope.native };
  const { session_id, cwd, native } = envelope;
  return {
    session_id,
    transcript_path: asText(native.transcript_path) ?? asText(native.transcriptPath) ?? "",
    cwd,
    permission_mode: asText(native.permission_mode) ?? "default",
    hook_event_name: claudeEventOf(envelope),
    ...fieldsOf(envelope, findTool(tools, envelope.tool ?? "")),
  };
}

function fieldsOf(envelope: Envelope, tool: ToolEntry): ClaudePayload {
  const { step, native } = envelope;
  switch (step) {
    case "session_start":
      return { source: envelope.source === "new" ? "startup" : envelope.source };
    case "before_prompt":
      return { prompt: envelope.prompt ?? "" };
    case "before_tool":
    case "before_permission":
      return toolOf(envelope, tool);
    case "after_tool":
      return { ...toolOf(envelope, tool), ...resultOf(envelope) };
    case "before_turn_end":
    case "subagent_end":
      return stopOf(envelope);
    case "before_compact":
    case "after_compact":
      return { trigger: asText(native.trigger) ?? "auto", custom_instructions: "" };
    case "subagent_start":
      return { agent_id: asText(native.agent_id) ?? "", agent_type: envelope.agent_type ?? "" };
    case "notification":
      return { message: envelope.text ?? "", notification_type: "other" };
    default:
      return { reason: envelope.reason ?? "other" };
  }
}

function stopOf({ native, agent_type, continues_so_far }: Envelope): ClaudePayload {
  const message = asText(native.last_assistant_message) ?? asText(native.prompt_response);
  return {
    stop_hook_active: continues_so_far !== 0,
    ...(message === null ? {} : { last_assistant_message: message }),
    ...(agent_type === undefined ? {} : { agent_type }),
  };
}

function toolOf(envelope: Envelope, entry: ToolEntry): ClaudePayload {
  const { tool = "", native } = envelope;
  const id = asText(native.tool_use_id) ?? asText(native.call_id);
  return {
    tool_name: entry.protocolName ?? tool,
    tool_input: toClaudeArguments(envelope, entry),
    ...(id === null ? {} : { tool_use_id: id }),
  };
}

function resultOf({ kind, is_error, output = "" }: Envelope): ClaudePayload {
  if (is_error === true) return { error: output };
  if (kind !== "shell") return { tool_response: output };
  const response = { stdout: output, stderr: "", interrupted: false, isImage: false };
  return { tool_response: response };
}

/** Every argument stays; known ones get Claude Code's names, and paths are absolute as they are there. */
function toClaudeArguments({ args = {}, cwd }: Envelope, entry: ToolEntry): ClaudePayload {
  const { protocolArgs = {}, paths = [] } = entry;
  const named = Object.entries(args).map(([key, value]) => {
    const name = Object.hasOwn(protocolArgs, key) ? protocolArgs[key] : undefined;
    const isPath = paths.includes(key) && typeof value === "string" && value !== "";
    return [name ?? key, isPath ? resolve(cwd, value) : value] as const;
  });
  return { ...Object.fromEntries(named), ...patchedOf(entry, args, cwd) };
}

function patchedOf({ patch }: ToolEntry, args: ToolArguments, cwd: string): ClaudePayload {
  if (patch === undefined) return {};
  const paths = patchPaths(asText(args[patch]) ?? "").map((path) => resolve(cwd, path));
  return paths.length === 0 ? {} : { file_path: paths[0], file_paths: paths };
}

/** What a Claude Code hook made of the arguments, by the agent's own names; paths it left alone are as written. */
export function fromClaudeArguments(
  envelope: Envelope,
  input: ToolArguments,
  tools: ToolTable,
): ToolArguments {
  if (envelope.agent === "claude-code") return input;
  const { tool = "", args = {}, cwd } = envelope;
  const { protocolArgs = {}, paths = [], patch } = findTool(tools, tool);
  // Of several names for one argument the one that was used comes back.
  const names = Object.keys(protocolArgs).toSorted((a, b) => Number(a in args) - Number(b in args));
  const back = new Map(names.map((name) => [protocolArgs[name], name]));
  const entries = Object.entries(input)
    .filter(([key]) => patch === undefined || !PATCHED.includes(key) || key in args)
    .map(([key, value]) => {
      const name = key in args ? key : (back.get(key) ?? key);
      const before = args[name];
      const isSame =
        paths.includes(name) && typeof before === "string" && resolve(cwd, before) === value;
      return [name, isSame ? before : value] as const;
    });
  return Object.fromEntries(entries);
}

// What a hook script written for Claude Code answered, as a verdict. Read as Claude Code 2.1.325 reads it.

interface ScriptOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

type ClaudeReading =
  | VerdictReading
  | { readonly kind: "none" }
  | { readonly kind: "error"; readonly problem: string };

const MAX_REASON = 10_000;

export function fromClaudeAnswer(step: StepName, ending: ScriptOutput): ClaudeReading {
  const { stdout, stderr, exitCode } = ending;
  if (exitCode === 2) return readExitTwo(step, stderr.trim());
  const answer = parseAnswer(stdout.trim());
  if (answer !== null) return readObject(step, answer);
  if (exitCode !== 0) return { kind: "error", problem: `exited with ${exitCode}` };
  return readPlainText(step, stdout.trim());
}

/** The reason is left to the pipeline where the script gave none. */
function readExitTwo(step: StepName, reason: string): ClaudeReading {
  if (!STEP_RULES[step].canVeto) return { kind: "none" };
  return verdictOf({ control: "veto", ...reasonField(reason.slice(0, MAX_REASON)) });
}

const verdictOf = (verdict: Verdict): ClaudeReading => ({ kind: "verdict", verdict });

const reasonField = (reason: string | null) => (reason ? { reason } : {});

/** A banner before it, or text behind it, makes it plain text. */
const parseAnswer = (text: string): JsonRecord | null =>
  text.startsWith("{") ? parseJsonObject(text) : null;

/** Plain text is context where Claude Code takes it for that, and nothing elsewhere. */
function readPlainText(step: StepName, text: string): ClaudeReading {
  const isContext = step === "session_start" || step === "before_prompt";
  if (!isContext || text === "") return { kind: "none" };
  return verdictOf({ additional_context: [text] });
}

function readObject(step: StepName, answer: JsonRecord): ClaudeReading {
  const problem = findProblem(step, answer);
  if (problem !== null) return { kind: "invalid", problem };
  const verdict = {
    ...readControl(step, answer),
    ...readChanges(step, asRecord(answer.hookSpecificOutput)),
  };
  return Object.keys(verdict).length === 0 ? { kind: "none" } : verdictOf(verdict);
}

const DECISIONS = new Set<unknown>([undefined, "approve", "allow", "block", "deny", "ask"]);
const PERMISSION_DECISIONS = new Set<unknown>([undefined, "allow", "deny", "ask", "defer"]);

/** What makes Claude Code drop the whole answer. */
function findProblem(step: StepName, answer: JsonRecord): string | null {
  const { decision, hookSpecificOutput: specific } = answer;
  if (!DECISIONS.has(decision)) return `\`decision\` is ${outputText(decision)}`;
  if (specific === undefined) return null;
  const { hookEventName, permissionDecision } = asRecord(specific);
  const expected = claudeEventOf({ step });
  const isExpected =
    hookEventName === expected || (step === "after_tool" && hookEventName === "PostToolUseFailure");
  if (!isExpected) return `\`hookSpecificOutput.hookEventName\` is not \`${expected}\``;
  return PERMISSION_DECISIONS.has(permissionDecision)
    ? null
    : `\`permissionDecision\` is ${outputText(permissionDecision)}`;
}

/** At the end of a turn `continue: false` means that it does end, whatever else is said. */
function readControl(step: StepName, answer: JsonRecord): Verdict {
  if (!STEP_RULES[step].canVeto) return {};
  const reason = asName(answer.reason);
  if (answer.continue === false)
    return isTurnEnd(step)
      ? {}
      : { control: "veto", ...reasonField(asName(answer.stopReason) ?? reason) };
  const { decision } = answer;
  if (decision === "block" || decision === "deny")
    return { control: "veto", ...reasonField(reason) };
  if (step !== "before_tool" || decision === undefined) return {};
  return { permission: decision === "ask" ? "ask" : "allow", ...reasonField(reason) };
}

function readChanges(step: StepName, specific: JsonRecord): Verdict {
  const { changes } = STEP_RULES[step];
  const context = asName(specific.additionalContext);
  return {
    ...(context !== null && changes.includes("additional_context")
      ? { additional_context: [context] }
      : {}),
    ...(step === "before_tool" ? readToolChanges(specific) : {}),
    ...(step === "before_permission" ? readPermission(asRecord(specific.decision)) : {}),
    ...(step === "after_tool" ? readOutput(specific) : {}),
  };
}

function readToolChanges(specific: JsonRecord): Verdict {
  const { permissionDecision, updatedInput } = specific;
  const permission = permissionDecision === "defer" ? "ask" : permissionDecision;
  return {
    ...(isPermission(permission)
      ? { permission, ...reasonField(asName(specific.permissionDecisionReason)) }
      : {}),
    ...(isRecord(updatedInput) ? { args: updatedInput } : {}),
  };
}

const isPermission = (value: unknown): value is Permission =>
  value === "allow" || value === "ask" || value === "deny";

function readPermission({ behavior, message }: JsonRecord): Verdict {
  if (behavior !== "allow" && behavior !== "deny") return {};
  return { permission: behavior, ...reasonField(asName(message)) };
}

function readOutput({ updatedToolOutput, updatedMCPToolOutput }: JsonRecord): Verdict {
  const output = updatedToolOutput ?? updatedMCPToolOutput;
  if (output === undefined || output === null) return {};
  return { output: asText(asRecord(output).stdout) ?? outputText(output) };
}
