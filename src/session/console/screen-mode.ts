// The console on a screen: actions go in, what is to be done is done, and what is to be seen is handed to the screen.

import type { JsonValue } from "../../core/command/context.ts";
import { ownProblem } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import {
  answerFrom,
  type ConsoleSession,
  queuePrompt,
  runConsoleCommand,
  runShellLine,
} from "./console-session.ts";
import { HostFollower } from "./host-follower.ts";
import { createLocalQuestions, type LocalQuestions } from "./local-questions.ts";
import type { ScreenContent, ScreenPort } from "./screen.ts";
import {
  listFilesToComplete,
  openConsoleState,
  readPaletteCommands,
  readStatus,
} from "./session-facts.ts";
import type { ConsoleAction, ConsoleEffect, ConsoleState } from "./state/console-state.ts";
import { reduceConsole } from "./state/reduce-console.ts";
import { type StyledLine, wrapStyled } from "./state/styled-line.ts";
import { viewConsole } from "./state/view.ts";

export async function runScreenMode(session: ConsoleSession): Promise<CommandResult> {
  const { openScreen } = await loadScreen();
  const runner = new ConsoleRunner(session, await openConsoleState(session));
  const { signal } = session.context;
  const leave = () => runner.leave();
  signal.addEventListener("abort", leave);
  const close = openScreen(runner.port);
  try {
    if (signal.aborted) leave();
    await runner.run();
    return ok();
  } finally {
    signal.removeEventListener("abort", leave);
    await close();
  }
}

/** Imports the screen by its address, because in the build it is a file of its own that nobody else loads. */
function loadScreen(): Promise<typeof import("./screen.ts")> {
  const isSource = import.meta.url.endsWith(".ts");
  const { href } = new URL(isSource ? "./screen.ts" : "./console-screen.mjs", import.meta.url);
  return import(href);
}

class ConsoleRunner {
  #session: ConsoleSession;
  readonly #left = Promise.withResolvers<void>();
  readonly #stop = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #questions: LocalQuestions;
  /** Cancels the commands that run. */
  #cancelling = new AbortController();
  readonly #commands = new Set<Promise<void>>();
  /** Settled when no prompt is on its way to the host. */
  #sending: Promise<unknown> = Promise.resolve();
  #state: ConsoleState;
  /** The transcript as it is, and as it was written: in rows of the screen of that time. */
  readonly #lines: StyledLine[] = [];
  #written: readonly StyledLine[] = [];
  #content: ScreenContent;
  #isShowing = false;
  readonly #follower: HostFollower;

  constructor(session: ConsoleSession, state: ConsoleState) {
    this.#session = session;
    this.#state = state;
    this.#content = { lines: [], view: viewConsole(state) };
    this.#questions = createLocalQuestions({
      ask: (question) => this.#act({ kind: "asked", question }),
      takeBack: (id) => this.#act({ kind: "unasked", id }),
    });
    this.#follower = new HostFollower({
      signal: this.#stop.signal,
      session: () => this.#session,
      replaceHost: (host) => {
        this.#session = { ...this.#session, host };
      },
      openQuestions: () => this.#state.questions.open.map(({ id }) => id),
      untilSent: () => this.#sending,
      act: (action) => this.#act(action),
    });
  }

  get port(): ScreenPort {
    return {
      hasColor: !this.#session.env.NO_COLOR,
      content: () => this.#content,
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      press: (key) => this.#act({ kind: "key", key }),
      paste: (text) => this.#act({ kind: "paste", text }),
      resize: (isNarrower) => this.#resize(isNarrower),
    };
  }

  /** Runs until the person leaves, or somebody ends this process. */
  async run(): Promise<void> {
    const following = this.#follower.run();
    await this.#left.promise;
    this.#stop.abort();
    this.#cancelling.abort();
    await Promise.all([following, ...this.#commands]);
  }

  leave(): void {
    this.#left.resolve();
  }

  #act(action: ConsoleAction): void {
    const { state, lines, effects } = reduceConsole(this.#state, action);
    this.#state = state;
    this.#lines.push(...lines);
    this.#write(lines);
    for (const effect of effects)
      this.#carryOut(effect).catch((error: unknown) => this.#complain(ownProblem(error)));
    this.#show();
  }

  #write(lines: readonly StyledLine[]): void {
    if (lines.length === 0) return;
    const { columns } = this.#state.size;
    this.#written = [...this.#written, ...lines.flatMap((line) => wrapStyled(line, columns))];
  }

  #complain(text: string): void {
    this.#act({ kind: "problem", text });
  }

  /** What happens at once is drawn at once. */
  #show(): void {
    if (this.#isShowing) return;
    this.#isShowing = true;
    setImmediate(() => {
      this.#isShowing = false;
      this.#content = { lines: this.#written, view: viewConsole(this.#state) };
      for (const listener of this.#listeners) listener();
    });
  }

  /** The end of the transcript is written again as far as it was to be seen. */
  #resize(isNarrower: boolean): void {
    const { columns = 80, rows = 24 } = process.stdout;
    this.#act({ kind: "resized", size: { columns, rows } });
    if (!isNarrower) return;
    const room = rows - viewConsole(this.#state).rows.length - 1;
    this.#write(lastLines(this.#lines, columns, room));
    this.#show();
  }

  async #carryOut(effect: ConsoleEffect): Promise<void> {
    const session = this.#session;
    switch (effect.kind) {
      case "send": {
        const sent = this.#send(effect.text);
        this.#sending = Promise.allSettled([this.#sending, sent]);
        return sent;
      }
      case "command":
        return this.#track(this.#runLine(`/${effect.line}`, effect.line, runConsoleCommand));
      case "shell":
        return this.#track(this.#runLine(`!${effect.line}`, effect.line, runShellLine));
      case "cancel-commands":
        this.#cancelling.abort();
        this.#cancelling = new AbortController();
        return;
      case "answer":
        return this.#answer(effect.id, effect.answer);
      case "cancel":
        await session.host.cancel(effect.turnId);
        return;
      case "list-files": {
        const cwd = session.context.workingDirectory;
        const files = await listFilesToComplete({
          cwd,
          env: session.env,
          signal: this.#stop.signal,
        });
        return this.#act({ kind: "sources", sources: { files } });
      }
      case "refresh":
        return this.#refresh();
      case "leave":
        return this.leave();
    }
  }

  async #send(text: string): Promise<void> {
    const turn = await queuePrompt(this.#session, text);
    this.#act({ kind: "sent", turn, text });
  }

  /** Who leaves waits for them to end. */
  async #track(command: Promise<void>): Promise<void> {
    this.#commands.add(command);
    try {
      await command;
    } finally {
      this.#commands.delete(command);
    }
  }

  async #runLine(shown: string, line: string, run: typeof runConsoleCommand): Promise<void> {
    const printed = { stdout: "", stderr: "" };
    const columns = String(this.#state.size.columns - 2);
    const session = { ...this.#session, env: { ...this.#session.env, COLUMNS: columns } };
    const questions = this.#questions.lend();
    const { stdout, stderr, exitCode } = await run(session, line, {
      isInteractive: true,
      interactors: [questions.interactor],
      signal: AbortSignal.any([session.context.signal, this.#cancelling.signal]),
      onOutput: (chunk, channel) => {
        printed[channel] += Buffer.from(chunk).toString();
      },
    }).finally(questions.takeBack);
    const command = {
      line: shown,
      exitCode,
      stdout: printed.stdout + Buffer.from(stdout).toString(),
      stderr: printed.stderr + Buffer.from(stderr).toString(),
    };
    this.#act({ kind: "command-ended", command });
    await this.#refresh();
  }

  async #answer(id: string, answer: JsonValue): Promise<void> {
    if (this.#questions.answer(id, answer)) return;
    const outcome = await answerFrom(this.#session, id, answer);
    if (outcome !== "accepted") this.#complain("somebody else was quicker to answer");
  }

  async #refresh(): Promise<void> {
    this.#act({ kind: "status", status: await readStatus(this.#session) });
    const commands = await readPaletteCommands(this.#session);
    this.#act({ kind: "sources", sources: { ...commands, files: null } });
  }
}

/** The last lines, as many as fit into so many rows. */
function lastLines(lines: readonly StyledLine[], columns: number, room: number): StyledLine[] {
  let left = room;
  const first = lines.findLastIndex((line) => {
    left -= wrapStyled(line, columns).length;
    return left < 0;
  });
  return lines.slice(first + 1);
}
