// Runs inside the script's context. It is turned into text, so it may use nothing from outside itself.
import type { Calls } from "./calls.ts";
import type { ValueTools } from "./values.ts";

/** What a script is started with. */
export interface ScriptFacts {
  /** JSON; without it there are no arguments. */
  readonly args: string | null;
  readonly budgetTotal: number | null;
  readonly spent: number;
}

interface DialectParts extends Calls, ValueTools {
  readonly facts: ScriptFacts;
}

/** The names of the dialect, as global variables that a script may also overwrite. */
export function defineDialect(parts: DialectParts): { begin: (main: () => unknown) => void } {
  const { ask, narrate, fork, inFrame, here, describe, show, facts } = parts;
  const { apply } = Reflect;
  const { isArray } = Array;
  const { max } = Math;
  const { stringify, parse } = JSON;
  const [OwnTypeError, OwnRangeError] = [TypeError, RangeError];
  const resolved = Promise.resolve();
  const { then } = Promise.prototype;
  const MAX_ITEMS = 4_096;
  const MAX_RESULT = 10 * 1024 * 1024;

  function checkList(name: string, list: unknown): asserts list is readonly unknown[] {
    if (!isArray(list)) throw new OwnTypeError(`${name}() takes an array, not ${typeof list}`);
    if (list.length > MAX_ITEMS)
      throw new OwnRangeError(`${name}() takes at most ${MAX_ITEMS} items, not ${list.length}`);
  }

  function checkFunctions(name: string, list: readonly unknown[]): void {
    for (let at = 0; at < list.length; at++)
      if (typeof list[at] !== "function")
        throw new OwnTypeError(`${name}() takes functions; number ${at + 1} is ${typeof list[at]}`);
  }

  /** What is thrown in a fan-out is null there, and said. */
  async function orNull(name: string, run: () => unknown): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      const { name: kind, message } = describe(error);
      narrate("warning", `${name} has null where it threw ${kind}: ${message}`);
      return null;
    }
  }

  async function awaitAll(running: readonly Promise<unknown>[]): Promise<unknown[]> {
    const results: unknown[] = [];
    for (let at = 0; at < running.length; at++) results[at] = await running[at];
    return results;
  }

  async function parallel(thunks: unknown): Promise<unknown[]> {
    checkList("parallel", thunks);
    checkFunctions("parallel", thunks);
    const frame = fork("parallel");
    const running: Promise<unknown>[] = [];
    for (let at = 0; at < thunks.length; at++) {
      const thunk = thunks[at];
      if (typeof thunk === "function")
        running[at] = orNull(`slot ${at} of parallel()`, () =>
          inFrame(`${frame}/${at}`, () => apply(thunk, undefined, [])),
        );
    }
    return awaitAll(running);
  }

  async function pipeline(items: unknown, ...stages: unknown[]): Promise<unknown[]> {
    checkList("pipeline", items);
    checkFunctions("pipeline", stages);
    const frame = fork("pipeline");
    const running: Promise<unknown>[] = [];
    for (let at = 0; at < items.length; at++)
      running[at] = orNull(`item ${at} of pipeline()`, () =>
        runStages(items[at], { stages, at, frame: `${frame}/${at}` }),
      );
    return awaitAll(running);
  }

  async function runStages(
    item: unknown,
    { stages, at, frame }: { stages: readonly unknown[]; at: number; frame: string },
  ): Promise<unknown> {
    let previous = item;
    for (let number = 0; number < stages.length; number++) {
      const stage = stages[number];
      if (typeof stage === "function")
        previous = await inFrame(`${frame}/${number}`, () =>
          apply(stage, undefined, [previous, item, at]),
        );
    }
    return previous;
  }

  const showAll = (values: readonly unknown[]): string => {
    let line = "";
    for (let at = 0; at < values.length; at++) line += `${at === 0 ? "" : " "}${show(values[at])}`;
    return line;
  };
  const print = (...values: unknown[]): void => narrate("log", showAll(values));
  const budget = {
    total: facts.budgetTotal,
    spent: parts.spent,
    remaining: () =>
      facts.budgetTotal === null ? Infinity : max(0, facts.budgetTotal - parts.spent()),
  };
  const adj = {
    command: async (name: unknown, args: unknown) => ask("command", { name, args }, here()),
    ask: async (question: unknown, options: unknown) => ask("ask", { question, options }, here()),
    sleep: async (duration: unknown) => ask("sleep", { duration }, here()),
    now: async () => ask("now", {}, here()),
    random: async () => ask("random", {}, here()),
  };
  const globals = {
    agent: async (prompt: unknown, options: unknown) => ask("agent", { prompt, options }, here()),
    parallel,
    pipeline,
    workflow: async (ref: unknown, args: unknown) =>
      ask("workflow", { ref, args }, fork("workflow")),
    phase(title: unknown): void {
      parts.setPhase(show(title));
      narrate("phase", show(title));
    },
    log: print,
    args: facts.args === null ? undefined : parse(facts.args),
    budget,
    adj,
    console: { log: print, info: print, warn: print, error: print, debug: print },
    setTimeout: parts.setTimeout,
    clearTimeout: parts.clearTimeout,
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

  function fail(error: unknown): void {
    const { name, message, stack } = describe(error);
    const texts = `"message":${stringify(message)},"stack":${stringify(stack)}`;
    parts.finish(`{"kind":"threw","name":${stringify(name)},${texts}}`, true);
  }

  function succeed(value: unknown): void {
    const { text, problems } = parts.writeResult(value);
    if (text.length > MAX_RESULT)
      throw new OwnRangeError(`the result has ${text.length} characters as JSON, more than 10 MB`);
    const kept = text === "" ? "" : `,"value":${text}`;
    parts.finish(`{"kind":"returned","problems":${stringify(problems)}${kept}}`, false);
  }

  async function run(main: () => unknown): Promise<void> {
    try {
      succeed(await main());
    } catch (error) {
      fail(error);
    }
  }

  // Later, so that nothing of the process stands below the script.
  return { begin: (main) => void apply(then, resolved, [() => run(main)]) };
}
