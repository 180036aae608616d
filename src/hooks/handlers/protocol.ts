// What a handler answers: a verdict of our own protocol, or what a hook script for Claude Code says.

import { findAgent } from "../../agents/roster.ts";
import { NO_TOOLS, type ToolTable } from "../../agents/steps/tool-table.ts";
import { quoteNames } from "../../core/command/names.ts";
import { completeLength } from "../../core/process/decode-utf8.ts";
import { isRecord, type JsonRecord, parseJson } from "../../core/project/json-value.ts";
import type { Envelope } from "../../core/step/envelope.ts";
import {
  type ChangeField,
  STEP_RULES,
  type StepName,
  type StepRule,
} from "../../core/step/step.ts";
import {
  CONTROLS,
  type Control,
  PERMISSIONS,
  type Permission,
  type StepResult,
  type Verdict,
  type VerdictReading,
} from "../../core/step/verdict.ts";

/** How one handler ended. What an error means is the pipeline's business. */
export type HandlerOutcome =
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly stderr: string | null }
  /** No intervention; the diagnostic says why something it printed was not taken for a verdict. */
  | { readonly kind: "none"; readonly diagnostic: string | null; readonly stderr: string | null }
  | { readonly kind: "error"; readonly problem: string }
  | { readonly kind: "cancelled" };

// What a handler answered, checked by hand: it is on the path of every step, where no schema library is loaded.

/** The whole of it counts or nothing: an unknown field, a wrong type or a misplaced control is invalid. */
export function parseVerdict(step: StepName, value: unknown): VerdictReading {
  if (!isRecord(value)) return invalid("a verdict must be a JSON object");
  const rule = STEP_RULES[step];
  for (const [name, field] of Object.entries(value)) {
    const problem = findProblem(step, rule, { name, field });
    if (problem !== null) return invalid(problem);
  }
  return { kind: "verdict", verdict: toVerdict(value) };
}

const invalid = (problem: string): VerdictReading => ({ kind: "invalid", problem });

interface Given {
  readonly name: string;
  readonly field: unknown;
}

function findProblem(step: StepName, rule: StepRule, { name, field }: Given): string | null {
  if (name === "control") return controlProblem(step, rule, field);
  const check = CHECKS.get(name);
  if (check === undefined) return `unknown field \`${name}\``;
  // Context has its place in every verdict; where a step cannot use it, it is left out.
  const isAlways = name === "reason" || name === "additional_context";
  if (!isAlways && !rule.changes.some((change) => change === name))
    return `\`${name}\` cannot be changed at \`${step}\``;
  return check(field) ? null : `\`${name}\` must be ${EXPECTED[name]}`;
}

function controlProblem(step: StepName, rule: StepRule, field: unknown): string | null {
  const control = CONTROLS.find((known) => known === field);
  if (control === undefined) return `\`control\` must be one of ${quoteNames(CONTROLS)}`;
  if (acceptedControls(rule).includes(control)) return null;
  return `\`${control}\` is no control of \`${step}\`, which accepts ${quoteNames(acceptedControls(rule))}`;
}

function acceptedControls({ canVeto, vetoWord }: StepRule): Control[] {
  const veto: Control[] = canVeto ? ["veto"] : [];
  return ["proceed", ...veto, ...(vetoWord === null ? [] : [vetoWord])];
}

const isText = (value: unknown): value is string => typeof value === "string";

const isPermission = (value: unknown): value is Permission =>
  PERMISSIONS.some((known) => known === value);

const isContext = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isText);

function isResult(value: unknown): value is string | StepResult {
  if (isText(value)) return true;
  if (!isRecord(value)) return false;
  const { output, error_output, exit_code, ...rest } = value;
  return (
    Object.keys(rest).length === 0 &&
    isText(output) &&
    (error_output === undefined || isText(error_output)) &&
    (exit_code === undefined || isExitCode(exit_code))
  );
}

const isExitCode = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;

const CHECKS: ReadonlyMap<string, (value: unknown) => boolean> = new Map<
  ChangeField | "reason",
  (value: unknown) => boolean
>([
  ["reason", isText],
  ["additional_context", isContext],
  ["prompt", isText],
  ["args", isRecord],
  ["result", isResult],
  ["permission", isPermission],
  ["output", isText],
]);

const EXPECTED: Readonly<Record<string, string>> = {
  reason: "text",
  additional_context: "a list of texts",
  prompt: "text",
  args: "an object",
  result: "text, or an object of `output`, `error_output` and `exit_code`",
  permission: `one of ${quoteNames(PERMISSIONS)}`,
  output: "text",
};

function toVerdict(fields: JsonRecord): Verdict {
  const { control, reason, additional_context, prompt, args, result, permission, output } = fields;
  const known = CONTROLS.find((word) => word === control);
  return {
    ...(known === undefined ? {} : { control: known }),
    ...(isText(reason) ? { reason } : {}),
    ...(isContext(additional_context) ? { additional_context } : {}),
    ...(isText(prompt) ? { prompt } : {}),
    ...(isRecord(args) ? { args } : {}),
    ...(isResult(result) ? { result: isText(result) ? { output: result } : result } : {}),
    ...(isPermission(permission) ? { permission } : {}),
    ...(isText(output) ? { output } : {}),
  };
}

// What a handler printed, as an outcome. Pure.

interface PrintedAnswer {
  readonly step: StepName;
  readonly text: string;
  readonly stderr: string | null;
  /** What is no JSON is then an error. */
  readonly isStrict: boolean;
}

export function readAnswer({ step, text, stderr, isStrict }: PrintedAnswer): HandlerOutcome {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "none", diagnostic: null, stderr };
  const value = parseJson(trimmed);
  if (value === undefined) {
    const problem = `it printed what is no JSON: ${JSON.stringify(beginning(trimmed))}`;
    return isStrict ? { kind: "error", problem } : { kind: "none", diagnostic: problem, stderr };
  }
  return readGiven({ step, value, stderr });
}

interface GivenVerdict {
  readonly step: StepName;
  readonly value: unknown;
  readonly stderr: string | null;
}

/** A verdict counts only after this, whoever gave it. */
export function readGiven({ step, value, stderr }: GivenVerdict): HandlerOutcome {
  const reading = parseVerdict(step, value);
  if (reading.kind === "invalid")
    return { kind: "error", problem: `its verdict is invalid: ${reading.problem}` };
  return { kind: "verdict", verdict: reading.verdict, stderr };
}

const SHOWN_BYTES = 200;

function beginning(text: string): string {
  const bytes = Buffer.from(text).subarray(0, SHOWN_BYTES);
  return bytes.toString("utf8", 0, completeLength(bytes));
}

// `protocol: claude-code`: the handler is told what Claude Code would tell it, and answers as it would there.

export async function writeForeignPayload(
  envelope: Envelope,
): Promise<Readonly<Record<string, unknown>>> {
  const { toClaudePayload } = await import("../../agents/claude-code/protocol.ts");
  const payload = toClaudePayload(envelope, await toolsOf(envelope));
  if (envelope.agent !== "claude-code") return payload;
  // Claude Code's own payload, with what handlers before this one made of it.
  const { args, prompt } = envelope;
  return {
    ...payload,
    ...(args === undefined ? {} : { tool_input: args }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** Those of the agent whose step it is. */
const toolsOf = async ({ agent }: Envelope): Promise<ToolTable> =>
  (await findAgent(agent)?.tools?.()) ?? NO_TOOLS;

/** What a program of a hook left. */
export interface HandlerOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export async function readForeignAnswer(
  envelope: Envelope,
  output: HandlerOutput,
): Promise<HandlerOutcome> {
  const { fromClaudeAnswer } = await import("../../agents/claude-code/protocol.ts");
  const answer = fromClaudeAnswer(envelope.step, output);
  const message = output.stderr.trim();
  const stderr = message === "" || output.exitCode !== 0 ? null : message;
  switch (answer.kind) {
    case "verdict":
      return { kind: "verdict", verdict: await nameArguments(envelope, answer.verdict), stderr };
    case "none":
      return { kind: "none", diagnostic: null, stderr };
    case "invalid":
      return { kind: "error", problem: `its answer is invalid: ${answer.problem}` };
    case "error":
      return { kind: "error", problem: answer.problem };
  }
}

/** The script rewrote Claude Code's arguments; the agent knows them by its own names. */
async function nameArguments(envelope: Envelope, verdict: Verdict): Promise<Verdict> {
  if (verdict.args === undefined) return verdict;
  const { fromClaudeArguments } = await import("../../agents/claude-code/protocol.ts");
  return { ...verdict, args: fromClaudeArguments(envelope, verdict.args, await toolsOf(envelope)) };
}
