// Runs inside the script's context. It is turned into text, so it may use nothing from outside itself.
import type { ValueTools } from "./values.ts";

/** What the process gives: functions of another realm, so nobody but this may hold one. They take and return plain texts. */
export interface Bridge {
  readonly say: (line: string) => void;
  readonly call: (line: string) => void;
  readonly finish: (line: string) => void;
  readonly currentFrame: () => string;
  readonly enterFrame: (frame: string) => void;
  readonly startTimer: (id: number, ms: number) => void;
  readonly clearTimer: (id: number) => void;
}

export interface Calls {
  /** Asks the engine; rejects with what it answers as an error. */
  readonly ask: (what: string, data: unknown, frame: string) => Promise<unknown>;
  readonly receive: (answer: string) => void;
  readonly fire: (timer: number) => void;
  readonly setTimeout: (run: unknown, ms: unknown, ...values: unknown[]) => number;
  readonly clearTimeout: (id: unknown) => void;
  /** One line for whoever watches; what is too much is dropped. */
  readonly narrate: (kind: "log" | "phase" | "warning", text: string) => void;
  /** The frame of a new fan-out; from here on the next one of its kind has the next number. */
  readonly fork: (kind: "parallel" | "pipeline" | "workflow") => string;
  readonly inFrame: <Result>(frame: string, run: () => Result) => Result;
  readonly here: () => string;
  readonly spent: () => number;
  readonly setPhase: (title: string) => void;
  readonly finish: (line: string, isRefusing: boolean) => void;
}

/**
 * A frame is a path with the number of fan-outs of each kind begun so far: `1,0,0|parallel#0/3`. It travels with the async
 * context and is replaced, never changed, so a number depends on what came before in the same flow, not on who was faster.
 */
export function makeCalls(bridge: Bridge, { show }: ValueTools, spentBefore: number): Calls {
  const { say, call, finish, currentFrame, enterFrame, startTimer, clearTimer } = bridge;
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { split, slice, indexOf } = String.prototype;
  const [OwnError, OwnTypeError, OwnRangeError, OwnPromise] = [
    Error,
    TypeError,
    RangeError,
    Promise,
  ];
  const toNumber = Number;
  const resolved = Promise.resolve();
  const { then } = Promise.prototype;
  const KINDS = ["parallel", "pipeline", "workflow"];
  const MAX_LENGTH = 10 * 1024 * 1024;
  const MAX_LINES = 10_000;
  const MAX_TIMER_MS = 2 ** 31 - 1;
  interface Answer {
    readonly id: number;
    readonly value: unknown;
    readonly thrown: string | null;
    readonly spent: number;
  }
  const pending: Record<number, (answer: Answer) => void> = Object.create(null);
  const timers: Record<number, { frame: string; run: () => unknown }> = Object.create(null);
  let lastId = 0;
  let spent = spentBefore;
  let phase: string | null = null;
  let lines = 0;
  let isRefusing = false;

  /** With no room left on the stack the process's own function fails, and its error is of its realm. */
  function outside<Result>(run: () => Result): Result {
    let result: Result;
    try {
      result = run();
    } catch {
      throw new OwnRangeError("Maximum call stack size exceeded");
    }
    return result;
  }

  const here = (): string => outside(currentFrame) || "0,0,0|";
  const pathOf = (frame: string): string => apply(slice, frame, [apply(indexOf, frame, ["|"]) + 1]);

  function fork(kind: "parallel" | "pipeline" | "workflow"): string {
    const frame = here();
    const path = pathOf(frame);
    const counts = apply(split, apply(slice, frame, [0, apply(indexOf, frame, ["|"])]), [","]);
    let next = "";
    let number = 0;
    for (let at = 0; at < KINDS.length; at++) {
      const count = toNumber(counts[at]);
      if (KINDS[at] === kind) number = count;
      next += `${at === 0 ? "" : ","}${KINDS[at] === kind ? count + 1 : count}`;
    }
    outside(() => enterFrame(`${next}|${path}`));
    return `0,0,0|${path}${path === "" ? "" : "/"}${kind}#${number}`;
  }

  function inFrame<Result>(frame: string, run: () => Result): Result {
    const before = here();
    outside(() => enterFrame(frame));
    try {
      return run();
    } finally {
      outside(() => enterFrame(before));
    }
  }

  async function ask(what: string, data: unknown, frame: string): Promise<unknown> {
    if (isRefusing) throw new OwnError("the script has failed already: nothing more is started");
    const text = stringify(data);
    if (text.length > MAX_LENGTH)
      throw new OwnRangeError(`${text.length} characters are too many for one call`);
    lastId += 1;
    const id = lastId;
    const facts = `"path":${stringify(pathOf(frame))},"phase":${stringify(phase)}`;
    const line = `{"kind":"call","id":${id},"what":"${what}",${facts},"data":${text}}`;
    const answered = new OwnPromise<Answer>((resolve) => {
      pending[id] = resolve;
    });
    outside(() => call(line));
    const answer = await answered;
    if (answer.thrown !== null) throw new OwnError(answer.thrown);
    return answer.value;
  }

  function receive(text: string): void {
    const answer: Answer = parse(text);
    const settle = pending[answer.id];
    delete pending[answer.id];
    spent = answer.spent;
    settle?.(answer);
  }

  function narrate(kind: "log" | "phase" | "warning", text: string): void {
    lines += 1;
    if (lines > MAX_LINES) return;
    const last = lines === MAX_LINES ? `${MAX_LINES} lines; what follows is dropped` : text;
    const line = `{"kind":"${lines === MAX_LINES ? "warning" : kind}","text":${stringify(last)}}`;
    outside(() => say(line));
  }

  return {
    ask,
    receive,
    narrate,
    fork,
    inFrame,
    here,
    spent: () => spent,
    setPhase(title) {
      phase = title;
    },
    finish(line, isLast) {
      isRefusing = isLast;
      outside(() => finish(line));
    },
    fire(id) {
      const timer = timers[id];
      delete timers[id];
      // Later, so that nothing of the process stands below the script's function.
      if (timer !== undefined)
        apply(then, resolved, [() => inFrame(timer.frame, () => void timer.run())]);
    },
    setTimeout(run, ms, ...values) {
      if (typeof run !== "function")
        throw new OwnTypeError(`setTimeout() takes a function, not ${show(typeof run)}`);
      lastId += 1;
      const id = lastId;
      timers[id] = { frame: here(), run: () => apply(run, undefined, values) };
      const wait = toNumber(ms);
      const isFit = wait > 0 && wait <= MAX_TIMER_MS;
      outside(() => startTimer(id, isFit ? wait : wait > 0 ? MAX_TIMER_MS : 0));
      return id;
    },
    clearTimeout(id) {
      if (typeof id !== "number" || timers[id] === undefined) return;
      delete timers[id];
      outside(() => clearTimer(id));
    },
  };
}
