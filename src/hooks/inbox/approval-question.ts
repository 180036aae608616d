// The question by which a person approves a tool call: what is asked, what a window can show of it, and what an answer
// means. All of it is masked, for it is kept as a row.

import type { JsonValue } from "../../core/command/context.ts";
import { quoteNames } from "../../core/command/names.ts";
import { isRecord, isTextList, textOrJson } from "../../core/project/json-value.ts";
import { diffLines } from "../../core/project/line-diff.ts";
import { type ExactValues, maskNamed, maskSecrets } from "../../core/secrets/mask.ts";
import type { StepSubject, ToolArguments } from "../../core/step/envelope.ts";
import type { NewQuestion } from "../../core/store/questions.ts";

/** As they are shown; `yes-session` only where there is a rule to remember. */
const APPROVAL_CHOICES = ["yes", "yes-session", "no", "no-with-words"] as const;

export interface ApprovalAnswer {
  readonly decision: "yes" | "session" | "no";
  /** For the model. */
  readonly words: string | null;
}

/** Whoever asks adds an id and a deadline. */
export type ApprovalQuestion = Omit<NewQuestion, "id" | "deadlineAt">;

interface CallInQuestion {
  readonly sessionId: string;
  readonly turnId: string | null;
  /** The call with the arguments that would run. */
  readonly subject: StepSubject;
  readonly why: string;
  readonly rule: JsonValue | null;
  /** Values that are masked beside those that look like secrets. */
  readonly secrets?: ExactValues;
}

/** What nobody answered is refused. */
const FALLBACK = { decision: "no", words: "nobody answered" } as const;

export function makeApprovalQuestion(call: CallInQuestion): ApprovalQuestion {
  const { sessionId, turnId, subject, why, rule, secrets = [] } = call;
  const { agent, tool = "", kind = "other", args = {} } = subject.envelope;
  const brief: Brief = (text, most = MAX_TEXT) => cut(maskSecrets(text, secrets), most);
  const diff = kind === "write" ? describeWrite(args) : describeDiff(args);
  const what = subject.line === null ? describeTarget(subject) : `\`${subject.line}\``;
  return {
    sessionId,
    turnId,
    kind: "approval",
    text: brief(`${agent} wants to use \`${tool}\`${what === "" ? "" : `: ${what}`} (${why})`),
    details: {
      agent,
      tool: brief(tool),
      kind,
      why: brief(why),
      args: describeArguments(args, brief),
      ...(diff === "" ? {} : { diff: brief(diff, MAX_DIFF) }),
      ...(rule === null ? {} : { rule, ruleText: brief(showRule(rule)) }),
    },
    choices: APPROVAL_CHOICES.filter((choice) => rule !== null || choice !== "yes-session"),
    fallback: FALLBACK,
  };
}

/** A rule as a person reads it: what it is about, without the words of the settings that say it. */
export function showRule(rule: JsonValue): string {
  if (!isRecord(rule)) return quote(textOrJson(rule));
  const { kind, command, path, agent, tool, safety, ...rest } = rule;
  const isKnown = Object.keys(rest).length === 0;
  if (isKnown && isTextList(command)) return command.map(quote).join(" and ");
  if (isKnown && isTextList(kind) && isTextList(path))
    return `${kind.join(" or ")} ${path.map(quote).join(", ")}`;
  if (isKnown && typeof tool === "string") return `${quote(tool)} of ${String(agent)}`;
  return quote(JSON.stringify(rule));
}

const quote = (text: string): string => `\`${text}\``;

const describeTarget = ({ paths }: StepSubject): string => quoteNames(paths);

const MAX_TEXT = 2_000;
const MAX_DIFF = 20_000;
const MAX_ARGUMENTS = 20;

/** Cut after it was masked: half a secret has no form to be known by. */
type Brief = (text: string, most?: number) => string;

const cut = (masked: string, most: number): string =>
  (masked.length <= most ? masked : `${masked.slice(0, most)} …`).toWellFormed();

const describeArguments = (
  args: ToolArguments,
  brief: Brief,
): { readonly [name: string]: JsonValue } =>
  Object.fromEntries(
    Object.entries(args)
      .slice(0, MAX_ARGUMENTS)
      .map(([name, value]) => {
        const text = textOrJson(value);
        return [brief(name), brief(maskNamed(name, text))];
      }),
  );

// What an edit would change, where the call itself holds both texts.

const TEXTS = [
  ["old_string", "new_string"],
  ["oldString", "newString"],
  ["old_str", "new_str"],
  ["oldText", "newText"],
  ["old", "new"],
] as const;
const CONTENTS = ["content", "contents", "file_text", "text"] as const;

/** What an edit would change, as a unified diff; empty where the call does not hold both texts. */
export function describeDiff(args: ToolArguments): string {
  const edits = Array.isArray(args.edits) ? args.edits.filter(isRecord) : [];
  return [args, ...edits].map(diffOf).join("");
}

function diffOf(edit: Readonly<Record<string, unknown>>): string {
  for (const [before, after] of TEXTS) {
    const [old, now] = [edit[before], edit[after]];
    if (typeof old === "string" && typeof now === "string") return diffLines(old, now);
  }
  return "";
}

/** What a file would hold: all of it is new, for the call does not say what was there. */
function describeWrite(args: ToolArguments): string {
  const content = CONTENTS.map((name) => args[name]).find((value) => typeof value === "string");
  return typeof content === "string" ? content.replace(/\n$/, "").replaceAll(/^/gm, "+") : "";
}

// What an answer means, from whatever window it comes.

/** `{ decision, words? }`, or a word as it is typed; any other text is a no with that text for the model. */
export function readApprovalAnswer(answer: JsonValue): ApprovalAnswer {
  if (typeof answer === "string") return readWord(answer);
  if (answer === true) return { decision: "yes", words: null };
  if (!isRecord(answer)) return { decision: "no", words: null };
  const { decision, words } = answer;
  const comment = typeof words === "string" && words.trim() !== "" ? words.trim() : null;
  if (decision === "yes" || decision === "session") return { decision, words: null };
  return { decision: "no", words: comment };
}

function readWord(answer: string): ApprovalAnswer {
  const word = answer.trim().toLowerCase();
  if (word === "yes" || word === "y") return { decision: "yes", words: null };
  if (word === "session" || word === "yes-session") return { decision: "session", words: null };
  const isPlain = ["no", "n", "no-with-words", ""].includes(word);
  return { decision: "no", words: isPlain ? null : answer.trim() };
}
