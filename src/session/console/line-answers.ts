// Questions where there is no more than lines: the next line that is typed is the answer.

import { createInterface } from "node:readline";
import { Fault, fault } from "../../core/command/fault.ts";
import type { Interactor } from "../../core/command/request.ts";
import type { Question, QuestionKind } from "../../core/store/questions.ts";
import { describeQuestion, readAnswerWords } from "../question-text.ts";
import { answerFrom, type ConsoleSession } from "./console-session.ts";
import { WINDOW } from "./state/transcript-lines.ts";

export interface LineAnswers {
  /** Of a turn: asked while it is open, taken back when it is answered elsewhere. */
  attend(question: Question): void;
  /** Takes back what is still asked. */
  giveUp(): void;
  /** Questions of commands. */
  readonly interactor: Interactor;
}

interface LinePorts {
  readonly lines: TypedLines;
  readonly tell: (text: string) => Promise<void>;
}

export function createLineAnswers(session: ConsoleSession, ports: LinePorts): LineAnswers {
  const asked = new Map<string, AbortController>();
  const takeBack = (id: string) => {
    asked.get(id)?.abort();
    asked.delete(id);
  };
  return {
    attend: (question) => {
      const { id, status } = question;
      if (status !== "open") {
        const isOurs = question.answeredBy === WINDOW;
        if (asked.has(id) && !isOurs) void ports.tell(describeQuestion(question));
        takeBack(id);
        return;
      }
      if (asked.has(id)) return;
      const stop = new AbortController();
      asked.set(id, stop);
      void askByLine(session, question, { ...ports, signal: stop.signal });
    },
    giveUp: () => {
      for (const id of [...asked.keys()]) takeBack(id);
    },
    interactor: createLineInteractor(session, ports),
  };
}

interface LineQuestion extends LinePorts {
  readonly signal: AbortSignal;
}

async function askByLine(
  session: ConsoleSession,
  question: Question,
  { lines, tell, signal }: LineQuestion,
): Promise<void> {
  await tell(describeChoices(question));
  for (;;) {
    const line = await lines.next(signal);
    if (line === null) return;
    const read = readAnswerWords(question, line.split(/\s+/).filter(Boolean));
    if (read.kind === "none") {
      await tell(read.problem);
      continue;
    }
    try {
      await answerFrom(session, question.id, read.answer);
    } catch (error) {
      // Whoever waits for the turn notices the same, and says it.
      if (!(error instanceof Fault)) throw error;
    }
    return;
  }
}

function describeChoices({ text, kind, details }: Question): string {
  if (kind !== "approval") return text;
  const { ruleText } = details;
  const session = typeof ruleText === "string" ? `, session (and from now on ${ruleText})` : "";
  return `${text}: yes${session}, no, or no and words for the agent`;
}

function createLineInteractor(session: ConsoleSession, { lines, tell }: LinePorts): Interactor {
  const ask = async (kind: QuestionKind, text: string, choices: readonly string[] = []) => {
    const question = { kind, choices };
    await tell(kind === "confirm" ? `${text} (yes or no)` : text);
    for (;;) {
      const line = await lines.next(session.context.signal);
      if (line === null) throw fault("Declined", { name: "console" });
      const read = readAnswerWords(question, line.split(/\s+/).filter(Boolean));
      if (read.kind === "answer") return read.answer;
      await tell(read.problem);
    }
  };
  return {
    name: WINDOW,
    confirm: async (text) => (await ask("confirm", text)) === true,
    select: async (text, choices) =>
      String(await ask("select", `${text} (${choices.join(", ")})`, choices)),
    input: async (text) => String(await ask("input", text)),
  };
}

// Lines as they come in, each taken once, by whoever asks first: a prompt, or the answer to a question.

export interface TypedLines {
  /** The next line; null when there is none any more, or when the signal fires before one came. */
  next(signal: AbortSignal): Promise<string | null>;
  close(): void;
}

type Taker = (line: string | null) => void;

export function readLines(input: NodeJS.ReadableStream): TypedLines {
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const waiting: string[] = [];
  const takers = new Set<Taker>();
  let isEnded = false;
  const hand = (line: string | null) => {
    const [taker] = takers;
    if (taker !== undefined) taker(line);
    else if (line !== null) waiting.push(line);
  };
  reader.on("line", hand);
  reader.once("close", () => {
    isEnded = true;
    for (const taker of [...takers]) taker(null);
  });
  return {
    next: (signal) => {
      const line = waiting.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (isEnded || signal.aborted) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<string | null>();
      const taker: Taker = (taken) => {
        takers.delete(taker);
        signal.removeEventListener("abort", giveUp);
        resolve(taken);
      };
      const giveUp = () => taker(null);
      takers.add(taker);
      signal.addEventListener("abort", giveUp, { once: true });
      return promise;
    },
    close: () => reader.close(),
  };
}
