// The console line by line: for pipes, scripts and terminals that can do no more. One prompt a line, the answer as
// text; the next line is taken when its turn has ended.
import { createEventPrinter } from "../../agents/run/command-run.ts";
import { Fault, formatFault } from "../../core/command/fault.ts";
import { type CommandResult, fail, type Output, ok } from "../../core/command/result.ts";
import type { Channel } from "../../core/process/command-spec.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import { formatMessage } from "../../core/terminal/render.ts";
import type { HostEvent } from "../host/session-host.ts";
import { concludeTurn, sendWatched, type WatchedTurn, watchRunning } from "../host/watch-turn.ts";
import { describeQuestion } from "../question-text.ts";
import {
  type ConsoleSession,
  makePrompt,
  runConsoleCommand,
  runShellLine,
} from "./console-session.ts";
import { createLineAnswers, type LineAnswers, readLines, type TypedLines } from "./line-answers.ts";
import { RECALLED_TURNS } from "./session-facts.ts";
import { isLeaveLine, readInputLine } from "./state/input-line.ts";

interface PlainOptions {
  readonly asJson: boolean;
  /** Somebody sits there and answers by the next line; else questions wait for another window. */
  readonly isPerson: boolean;
  /** A mark says that a line is waited for. */
  readonly hasMark: boolean;
}

interface PlainConsole extends PlainOptions {
  readonly session: ConsoleSession;
  readonly lines: TypedLines;
  readonly answers: LineAnswers;
  write(chunk: Output, channel?: Channel): Promise<void>;
}

export async function runPlainMode(
  session: ConsoleSession,
  options: PlainOptions,
): Promise<CommandResult> {
  const lines = readLines(process.stdin);
  const shown: string[] = [];
  const write = async (chunk: Output, channel: Channel = "stdout") => {
    if (chunk.length === 0) return;
    if (channel === "stdout") shown.push(Buffer.from(chunk).toString());
    await session.context.write(chunk, channel);
  };
  const tell = (text: string) => write(formatMessage(text), "stderr");
  const answers = createLineAnswers(session, { lines, tell });
  try {
    const plain = { session, lines, answers, write, ...options };
    if (options.isPerson) await takeUp(plain);
    const exitCode = await takeLines(plain);
    const output = shown.join("");
    return exitCode === 0 ? ok(output) : { ...fail("", exitCode), output };
  } finally {
    lines.close();
  }
}

/** A turn that runs here already is seen to its end, and its questions are asked, before a line is taken for a prompt. */
async function takeUp(plain: PlainConsole): Promise<void> {
  const { id, isOld, host } = plain.session;
  if (!isOld) return;
  const turns = await host.turns(id, RECALLED_TURNS);
  const running = turns.find(({ startedAt, endedAt }) => startedAt !== null && endedAt === null);
  if (running === undefined) return;
  await plain.write(formatMessage(`turn ${running.number} still runs`), "stderr");
  const watched = await watchRunning(host, running, LOST_HINT);
  for (const question of await host.questions())
    if (question.turnId === running.id) plain.answers.attend(question);
  await concludePrompt(plain, () => follow(plain, watched));
}

/** Gives the exit code of the first line that failed: those behind it are taken all the same. */
async function takeLines(plain: PlainConsole): Promise<number> {
  const { signal } = plain.session.context;
  let failed = 0;
  for (;;) {
    if (plain.hasMark) await plain.write("> ", "stderr");
    const line = await plain.lines.next(signal);
    if (line === null || (await isLeaving(plain, line))) return failed;
    const exitCode = await takeLine(plain, line);
    if (failed === 0) failed = exitCode;
  }
}

async function isLeaving({ session }: PlainConsole, text: string): Promise<boolean> {
  const input = readInputLine(text);
  if (input.kind !== "command" || !isLeaveLine(input.line)) return false;
  return (await session.program.resolve(input.line)).kind !== "found";
}

async function takeLine(plain: PlainConsole, text: string): Promise<number> {
  const input = readInputLine(text);
  switch (input.kind) {
    case "nothing":
      return 0;
    case "command":
      return takeCommand(plain, `/${input.line}`, input.line, runConsoleCommand);
    case "shell":
      return takeCommand(plain, `!${input.line}`, input.line, runShellLine);
    case "prompt":
      return takePrompt(plain, input.text);
  }
}

async function complain(plain: PlainConsole, message: string, exitCode: number): Promise<number> {
  await plain.write(formatMessage(message), "stderr");
  return exitCode;
}

async function takeCommand(
  plain: PlainConsole,
  typed: string,
  line: string,
  run: typeof runConsoleCommand,
): Promise<number> {
  const { session, asJson, isPerson, write, answers } = plain;
  const lent = { isInteractive: isPerson, interactors: isPerson ? [answers.interactor] : [] };
  if (!asJson) {
    const shown = await run(session, line, { ...lent, onOutput: write });
    await write(shown.stdout);
    await write(shown.stderr, "stderr");
    return shown.exitCode;
  }
  const { exitCode, stdout, stderr } = await run(session, line, lent);
  const [output, errorOutput] = [stdout, stderr].map((part) => Buffer.from(part).toString());
  await writeObject(plain, { kind: "command", line: typed, exitCode, output, errorOutput });
  return exitCode;
}

const writeObject = ({ write }: PlainConsole, value: object): Promise<void> =>
  write(`${JSON.stringify(value)}\n`);

const takePrompt = (plain: PlainConsole, text: string): Promise<number> =>
  concludePrompt(plain, async () => {
    const { session } = plain;
    const prompt = makePrompt(session, text);
    return follow(plain, await sendWatched(session.host, prompt, LOST_HINT));
  });

async function concludePrompt(plain: PlainConsole, run: () => Promise<Turn>): Promise<number> {
  try {
    concludeTurn(await run());
    return 0;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return complain(plain, formatFault(error), error.exitCode);
  }
}

async function follow(plain: PlainConsole, watched: WatchedTurn): Promise<Turn> {
  const { session, answers, write } = plain;
  const { host, context } = session;
  const cancel = () => void host.cancel(watched.turn.id);
  context.signal.addEventListener("abort", cancel);
  if (context.signal.aborted) cancel();
  const print = createEventPrinter({ write, progress: context.progress }, false);
  try {
    return await watched.untilEnded(async (event) => {
      if (event.kind === "event") return;
      if (plain.asJson) await writeObject(plain, event);
      else if (event.kind === "progress") print(event.event);
      await attend(plain, event);
    });
  } finally {
    context.signal.removeEventListener("abort", cancel);
    await watched.leave();
    answers.giveUp();
  }
}

const LOST_HINT = "`--continue` goes on with the session";

/** What concerns the person: a line that is said once, a question that waits. */
async function attend(plain: PlainConsole, event: HostEvent): Promise<void> {
  const { asJson, isPerson, write, answers } = plain;
  if (event.kind === "notice" && !asJson) await write(formatMessage(event.text), "stderr");
  if (event.kind !== "question") return;
  const { question } = event;
  if (isPerson) answers.attend(question);
  else if (!asJson) await write(formatMessage(describeQuestion(question)), "stderr");
}
