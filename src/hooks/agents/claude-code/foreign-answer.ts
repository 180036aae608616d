// What a hook script written for Claude Code answered, as a verdict. Read as Claude Code 2.1.325 reads it.
import {
  asName,
  asRecord,
  asText,
  isRecord,
  type JsonRecord,
} from "../../../agents/json-fields.ts";
import { STEP_RULES, type StepName } from "../../step.ts";
import type { Permission, Verdict, VerdictReading } from "../../verdict.ts";
import { outputText } from "../build-envelope.ts";
import { claudeEventOf } from "./foreign-payload.ts";

export interface ProcessEnding {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export type ClaudeReading =
  | VerdictReading
  | { readonly kind: "none" }
  | { readonly kind: "error"; readonly problem: string };

const MAX_REASON = 10_000;

export function fromClaudeAnswer(step: StepName, ending: ProcessEnding): ClaudeReading {
  const { stdout, stderr, exitCode } = ending;
  if (exitCode === 2) return readExitTwo(step, stderr.trim());
  const answer = parseObject(stdout.trim());
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
function parseObject(text: string): JsonRecord | null {
  if (!text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

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

const isTurnEnd = (step: StepName) => step === "before_turn_end" || step === "subagent_end";

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
  const { permissionDecision: told, updatedInput } = specific;
  const permission = told === "defer" ? "ask" : told;
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
