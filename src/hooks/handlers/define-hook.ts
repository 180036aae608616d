// A handler of one's own as a whole program: a function from the step to the verdict, with the way in and out that a
// command handler has. It runs in the user's guard, not in ours.
import { text } from "node:stream/consumers";
import type { Envelope } from "../../core/step/envelope.ts";
import type { Verdict } from "../../core/step/verdict.ts";

/** Nothing, or an empty verdict, is no intervention; what it throws is the handler's error. */
export type HookHandler = (
  envelope: Envelope,
) => Verdict | null | undefined | Promise<Verdict | null | undefined>;

/** The code of a veto, whose reason is what stands on stderr. */
const VETO = 2;
/** Any other code is the handler's error: what that means is the rule's `on_error`. */
const FAILED = 1;

/**
 * Makes this process a handler of hooks: reads the step from stdin, asks the function, prints its verdict and ends.
 *
 * @example
 * #!/usr/bin/env node
 * import { defineHook } from "adjutant/hooks";
 * defineHook(({ args }) => /prod/.test(String(args?.command)) ? { control: "veto", reason: "not in production" } : null);
 */
export async function defineHook(handle: HookHandler): Promise<void> {
  const code = await answerStep(handle);
  // What is left open, a connection say, must not hold the step up: its agent waits. The process is the handler alone.
  process.exit(code);
}

async function answerStep(handle: HookHandler): Promise<number> {
  try {
    const verdict = await handle(readEnvelope(await text(process.stdin)));
    if (verdict === null || verdict === undefined) return 0;
    const { control, reason, ...rest } = verdict;
    const isPlainVeto = control === "veto" && reason !== undefined && isEmpty(rest);
    if (isPlainVeto) await print(process.stderr, reason);
    else await print(process.stdout, JSON.stringify(verdict));
    return isPlainVeto ? VETO : 0;
  } catch (error) {
    await print(process.stderr, error instanceof Error ? error.message : String(error));
    return FAILED;
  }
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function readEnvelope(given: string): Envelope {
  const envelope: Envelope = JSON.parse(given);
  if (typeof envelope?.step === "string") return envelope;
  throw new TypeError("no step on stdin; try it with `adj hooks test`");
}

const print = (stream: NodeJS.WriteStream, line: string): Promise<void> =>
  new Promise((resolve) => void stream.write(`${line}\n`, () => resolve()));
