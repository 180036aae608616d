// The demo partner: what replay says and does in a conversation for which no cassette is named. It is a script that
// goes by words of the prompt, so that everybody can try sessions, questions and refusals without a key.
import { quoteWord } from "../../core/command/words.ts";
import type { PlayedOutcome, ToolCall } from "./play-step.ts";

interface PartnerTurn {
  readonly prompt: string;
  readonly model: string | null;
  /** How many prompts came before this one. */
  readonly earlier: number;
  /** The words of the first prompt, this one where it is the first. */
  readonly first: string;
}

type PartnerStep =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "call"; readonly call: ToolCall };

/** Pure: each call that it yields is answered with what came of it. */
type Script<Result> = Generator<PartnerStep, Result, PlayedOutcome | null>;

export function* answerAsPartner(turn: PartnerTurn): Script<void> {
  const act = RULES.find(([words]) => words.test(turn.prompt))?.[1];
  const answer = act === undefined ? `You said “${quote(turn.prompt)}”.` : yield* act(turn.prompt);
  yield say(`${answer}\n\n${describeThread(turn)}`);
}

const say = (text: string): PartnerStep => ({ kind: "say", text });

const MAX_QUOTED = 120;

const quote = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
};

function describeThread({ model, earlier, first }: PartnerTurn): string {
  const by = `${model === null ? "" : `, as \`${model}\``}`;
  const thread =
    earlier === 0
      ? "This is the first prompt of our conversation"
      : `This is prompt ${earlier + 1} of our conversation, which began with “${quote(first)}”`;
  const hint =
    earlier === 0
      ? " Ask me to list, read, write, fix or delete a file, or to run a `command`: I ask before I do it."
      : "";
  return `${thread}. I answer from a script${by}; no model was asked.${hint}`;
}

/** Gives the words of its answer. */
type Act = (prompt: string) => Script<string>;

/** The first that fits decides. */
const RULES: readonly (readonly [RegExp, Act])[] = [
  [/`[^`]+`/, runCommand],
  [/\b(?:write|create|make|save|add)\b/i, writeNotes],
  [/\b(?:fix|edit|change|correct|mend)\b/i, fixFile],
  [/\b(?:delete|remove)\b/i, deleteFile],
  [/\b(?:read|show|open|explain)\b/i, readAloud],
  [/\b(?:list|files|look|ls)\b/i, listFiles],
];

function runCommand(prompt: string): Script<string> {
  const command = /`([^`]+)`/.exec(prompt)?.[1] ?? "";
  return runShell(`I will run \`${command}\`.`, command);
}

function listFiles(): Script<string> {
  return runShell("I will look at what is here.", "ls -A | head -n 20");
}

function deleteFile(prompt: string): Script<string> {
  const path = findPath(prompt) ?? "notes.txt";
  return runShell(`I will delete ${path}.`, `rm -- ${quoteWord(path)}`);
}

function* runShell(opening: string, command: string): Script<string> {
  const outcome = yield* attempt(opening, { tool: "shell", args: { command } });
  return explain(outcome, (printed) =>
    printed.trim() === "" ? "It printed nothing." : `It printed:\n\n${indent(printed)}`,
  );
}

function* writeNotes(prompt: string): Script<string> {
  const path = findPath(prompt) ?? "notes.txt";
  const args = { path, content: `${quote(prompt)}\n` };
  const outcome = yield* attempt(`I will write ${path}.`, { tool: "write", args });
  return explain(outcome, (result) => `I ${result}.`);
}

function* readAloud(prompt: string): Script<string> {
  const path = findPath(prompt) ?? "README.md";
  const outcome = yield* attempt(`I will read ${path}.`, { tool: "read", args: { path } });
  return explain(outcome, (text) => `${path} says:\n\n${indent(text)}`);
}

function* fixFile(prompt: string): Script<string> {
  const path = findPath(prompt) ?? "notes.txt";
  const seen = yield* attempt(`I will read ${path} first.`, { tool: "read", args: { path } });
  if (seen.isError) return explain(seen, String);
  const line = seen.result?.split("\n").find((words) => words.trim() !== "");
  if (line === undefined) return `${path} is empty; there is nothing to fix.`;
  const args = { path, old: line, new: `${line} (fixed)` };
  const outcome = yield* attempt("I change its first line.", { tool: "edit", args });
  return explain(outcome, (result) => `I ${result}.`);
}

function* attempt(opening: string, call: ToolCall): Script<PlayedOutcome> {
  yield say(opening);
  return (yield { kind: "call", call }) ?? NOT_ANSWERED;
}

const NOT_ANSWERED = { result: null, isError: true, refusal: null };

function explain(outcome: PlayedOutcome, describe: (result: string) => string): string {
  const result = outcome.result ?? "";
  if (outcome.refusal !== null) return `I did not do it, because I was told: ${outcome.refusal}`;
  return outcome.isError ? `That failed:\n\n${indent(result)}` : describe(result);
}

const MAX_LINES = 12;

const indent = (text: string): string => {
  const lines = text.trimEnd().split("\n");
  const rest = lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} lines more`] : [];
  return [...lines.slice(0, MAX_LINES), ...rest].map((line) => `    ${line}`).join("\n");
};

/** The first word that looks like a file's name. */
const findPath = (prompt: string): string | null =>
  /(?:^|[\s"'“(])((?:[\w-]+\/)*[\w.-]*\w\.[a-z]\w{0,9})(?=$|[\s"'”),.;:!?])/i.exec(prompt)?.[1] ??
  null;
