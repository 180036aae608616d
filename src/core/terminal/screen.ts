// What the program shows: data, messages, and lines of progress that clean up after themselves.

import { fstatSync, statSync } from "node:fs";
import { HANGUP } from "../command/cancellation.ts";
import { fault } from "../command/fault.ts";
import type { Interactor } from "../command/request.ts";
import type { Output } from "../command/result.ts";
import { escapeControls } from "../command/words.ts";
import { threwFault } from "../dispatch/ending.ts";
import type { Channel } from "../process/command-spec.ts";
import { isTerminalLent } from "../process/lent-terminal.ts";
import { cutText } from "./text-columns.ts";
import { writeOut } from "./write-out.ts";

export interface Screen {
  write(chunk: Output, channel: Channel): void;
  /** Writes live output of a command and remembers the channel. */
  stream(chunk: Output, channel: Channel): void;
  readonly streamed: ReadonlySet<Channel>;
  /** Whoever read stdout (`adj log | head`) has seen enough. */
  readonly isReaderGone: boolean;
  progress(step: number | string): void;
  clearProgress(): void;
}

export function createScreen(onReaderGone: () => void): Screen {
  const streamed = new Set<Channel>();
  let isReaderGone = false;
  let progressLines = 0;

  const clearProgress = () => {
    if (progressLines > 0)
      writeOut(`\r\u001b[K${"\u001b[A\u001b[K".repeat(progressLines - 1)}`, "stderr");
    progressLines = 0;
  };
  const write = (chunk: Output, channel: Channel) => {
    if (chunk.length === 0) return;
    clearProgress();
    if (writeOut(chunk, channel) === "written" || channel === "stderr" || isReaderGone) return;
    isReaderGone = true;
    onReaderGone();
  };

  return {
    write,
    stream: (chunk, channel) => {
      if (chunk.length > 0) streamed.add(channel);
      write(chunk, channel);
    },
    streamed,
    get isReaderGone() {
      return isReaderGone;
    },
    progress: (step) => {
      if (!isTerminal(2)) return;
      const { columns = 80, rows = 24 } = process.stderr;
      const text = typeof step === "number" ? `${Math.round(step * 100)} %` : step;
      // What has scrolled off the screen could not be taken back; the last line tells most.
      const lines = text.split("\n").slice(1 - rows);
      clearProgress();
      writeOut(lines.map((line) => cutText(line, columns - 1)).join("\n"), "stderr");
      progressLines = lines.length;
    },
    clearProgress,
  };
}

interface SignalWatch {
  readonly signal: AbortSignal;
  /** Cancels as a signal would. */
  cancel(): void;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The first signal cancels the dispatch, a second one ends the program on the spot. */
export function watchSignals(command: string, endNow: (exitCode: number) => void): SignalWatch {
  const controller = new AbortController();
  for (const [name, exitCode] of Object.entries(EXIT_CODES)) {
    const signal = name === "SIGINT" ? "SIGINT" : "SIGTERM";
    process.on(name, () => {
      if (name === "SIGINT" && isTerminalLent()) return;
      if (controller.signal.aborted) endNow(exitCode);
      const cause = name === "SIGHUP" ? { cause: HANGUP } : {};
      controller.abort(fault("Cancelled", { name: command, signal }, cause));
    });
  }
  // Node leaves in silence when nothing can happen any more, however much is still awaited.
  process.once("beforeExit", () => controller.abort(fault("HandlerStuck", { name: command })));
  // Thrown where no promise leads back to the handler: in a timer, a listener.
  process.on("uncaughtException", (cause) => controller.abort(threwFault(command, cause)));
  return {
    signal: controller.signal,
    cancel: () => controller.abort(fault("Cancelled", { name: command })),
  };
}

/** Questions on the terminal, drawn on stderr: stdout is for data alone. */
export function createTerminalInteractor(command: string): Interactor {
  const output = process.stderr;
  const ask = async <Answer>(
    put: (prompts: typeof import("@clack/prompts")) => Promise<Answer | symbol>,
  ): Promise<Answer> => {
    const prompts = await import("@clack/prompts");
    const answer = await put(prompts);
    // Ctrl-C or Escape at a question is no answer: the command is taken back.
    if (typeof answer === "symbol") throw fault("Cancelled", { name: command, signal: "SIGINT" });
    return answer;
  };
  return {
    name: "terminal",
    confirm: (question) =>
      ask<boolean>(({ confirm }) =>
        confirm({ message: escapeControls(question), initialValue: false, output }),
      ),
    select: (question, choices) =>
      ask<string>(({ select }) => {
        const options = choices.map((value) => ({ value, label: escapeControls(value) }));
        return select({ message: escapeControls(question), options, output });
      }),
    choose: (question, choices) =>
      ask<string[]>(({ multiselect }) => {
        const options = choices.map((value) => ({ value, label: escapeControls(value) }));
        const message = escapeControls(`${question} (space leaves out or takes in)`);
        const initialValues = [...choices];
        return multiselect({ message, options, initialValues, required: false, output });
      }),
    input: (question, options) =>
      ask<string>(({ password, text }) => {
        const message = escapeControls(question);
        return options?.secret ? password({ message, output }) : text({ message, output });
      }),
  };
}

/**
 * As `isatty` says it. What is plainly no terminal, a file, a pipe or `/dev/null`, is told without `node:tty`, which brings
 * `node:net` and all streams with it: 3 ms of CPU.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isCharacterDevice() || stat.rdev === statSync("/dev/null").rdev) return false;
  } catch {
    // One that is closed, or a system without either: it is asked below.
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}
