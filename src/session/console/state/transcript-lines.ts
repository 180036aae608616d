// How things stand in the transcript: prompts, tool calls, what commands print, questions that are over.
import type { ToolCallEvent, ToolResultEvent } from "../../../agents/log/event.ts";
import { isRecord, textOrJson } from "../../../core/project/json-value.ts";
import type { Question } from "../../../core/store/questions.ts";
import { cutText } from "../../../core/terminal/text-columns.ts";
import { describeDiff } from "../../../hooks/inbox/approval-question.ts";
import {
  BAR,
  diffLinesOf,
  EMPTY_LINE,
  escapeForScreen,
  foldLines,
  type StyledLine,
  styled,
  styledLines,
} from "./styled-line.ts";

const MAX_PROMPT_LINES = 12;

export const showPrompt = (text: string): StyledLine[] => [
  EMPTY_LINE,
  ...foldLines(
    text.split("\n").map((line, at) => styled("person", `${at === 0 ? "›" : " "} ${line}`)),
    MAX_PROMPT_LINES,
  ),
];

export interface EndedCall {
  readonly call: ToolCallEvent;
  /** Null where the turn ended before the tool did. */
  readonly result: ToolResultEvent | null;
}

const MAX_TARGET = 160;
const TARGETS = ["command", "file_path", "filePath", "path", "pattern", "url", "query"] as const;

/** `shell ls -A`: the tool and what it is used on. */
export function nameCall({ name, arguments: args }: ToolCallEvent): string {
  const given = isRecord(args) ? args : {};
  const target = TARGETS.map((key) => given[key]).find((value) => typeof value === "string");
  const first = typeof target === "string" ? (target.trim().split("\n")[0] ?? "") : "";
  return cutText(`${name} ${first}`.trim(), MAX_TARGET);
}

export function showCall({ call, result }: EndedCall): StyledLine {
  const word = describeResult(result);
  return [
    { tone: "tool", text: `● ${escapeForScreen(nameCall(call))}` },
    ...(word === ""
      ? []
      : [{ tone: result?.isError ? "error" : "dim", text: ` – ${word}` } as const]),
  ];
}

function describeResult(result: ToolResultEvent | null): string {
  if (result === null) return "cut short";
  if (result.permission === "denied") return "refused";
  const text = result.result?.trimEnd() ?? "";
  const first = text.split("\n")[0] ?? "";
  if (result.isError === true)
    return first === "" ? "failed" : escapeForScreen(cutText(`failed: ${first}`, MAX_TARGET));
  const count = text === "" ? 0 : text.split("\n").length;
  return count > 1 ? `${count} lines` : "";
}

const FOLDED_LINES = 20;

/** What Ctrl-O shows: all that went in and came out, folded unless it is asked for whole. */
export function openCall({ call, result }: EndedCall, isWhole: boolean): StyledLine[] {
  const args = isRecord(call.arguments) ? call.arguments : {};
  const diff = describeDiff(args);
  const given = diff === "" ? Object.entries(args).flatMap(showArgument) : diffLinesOf(diff);
  const lines = [...given, ...styledLines("plain", result?.result ?? "")];
  const most = isWhole ? lines.length : FOLDED_LINES;
  return [
    styled("tool", `▾ ${nameCall(call)}`),
    ...foldLines(lines, most, "; Ctrl-O shows them").map(indent),
  ];
}

function showArgument([name, value]: [string, unknown]): StyledLine[] {
  const text = textOrJson(value);
  return styledLines("dim", `${name}: ${text}`);
}

const indent = (line: StyledLine): StyledLine => [{ tone: "dim", text: "  " }, ...line];

const MAX_OUTPUT_LINES = 200;

export interface EndedCommand {
  readonly line: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Apart from the agent's words: a bar stands beside every row of what a command said. */
export function showCommand({ line, stdout, stderr, exitCode }: EndedCommand): StyledLine[] {
  const output = [...styledLines("plain", stdout), ...styledLines("error", stderr)];
  // Of our own commands a line says it; a program may have failed without a word.
  const isUntold = exitCode !== 0 && line.startsWith("!");
  return [
    EMPTY_LINE,
    styled("command", line),
    ...foldLines(output, MAX_OUTPUT_LINES).map((row) => [BAR, ...row]),
    ...(isUntold ? [[BAR, { tone: "error", text: `exit ${exitCode}` } as const]] : []),
  ];
}

/** A question that is over, and who decided it. */
export function showAnswered(
  { text, status, answeredBy, answer }: Question,
  isOurs: boolean,
): StyledLine[] {
  if (status === "answered")
    return isOurs
      ? []
      : [styled("dim", `? ${text} – ${nameAnswer(answer)} in ${nameWindow(answeredBy)}`)];
  const why = status === "expired" ? "nobody answered in time" : "no longer needed";
  return [styled("dim", `? ${text} – ${why}`)];
}

/** What was decided, where that is one of a few words; what was typed is the window's own. */
function nameAnswer(answer: Question["answer"]): string {
  const decision = isRecord(answer) ? answer.decision : answer;
  if (decision === true || decision === "yes") return "yes,";
  if (decision === false || decision === "no") return "no,";
  return decision === "session" ? "yes, and the like of it," : "answered";
}

/** How the record names a console that answered. */
export const WINDOW = "console";

const nameWindow = (name: string | null): string =>
  name === null ? "another window" : name === WINDOW ? "another console" : name;
