// How a script ended, as one value with one clear line.
import { lastLineOf } from "../../core/process/command-spec.ts";
import type { EffectOutcome } from "../engine/effect.ts";
import type { ReturnedMessage } from "./messages.ts";
import type { ProcessLoss, ScriptLimits } from "./script-process.ts";

export type ScriptEnding =
  | ReturnedMessage
  | {
      readonly kind: "threw";
      readonly name: string;
      readonly message: string;
      /** The lines of the stack that stand in the person's file, the innermost first. */
      readonly stack: readonly string[];
    }
  /** It was ended from outside: by its signal, or by an effect that ends the run. */
  | { readonly kind: "ended"; readonly reason: string }
  /** It could not go on, and was ended. */
  | {
      readonly kind: "hung";
      readonly cause: "loop" | "idle" | "memory" | "protocol" | "died";
      readonly message: string;
    };

const thrown = (message: string): EffectOutcome => ({ kind: "thrown", message });

export function childOutcome(name: string, ending: ScriptEnding): EffectOutcome {
  switch (ending.kind) {
    case "returned":
      return { kind: "value", value: ending.value ?? null, outputTokens: 0 };
    case "threw":
      return thrown(`workflow \`${name}\` threw ${ending.name}: ${ending.message}`);
    case "hung":
      return thrown(`workflow \`${name}\` failed: ${ending.message}`);
    case "ended":
      return { kind: "ended", reason: ending.reason };
  }
}

export const IDLE_ENDING: ScriptEnding = {
  kind: "hung",
  cause: "idle",
  message: "the script waits for a promise that nothing can settle any more",
};

const MAX_RESULT_BYTES = 10 * 1024 * 1024;
/** Around the result, and what is said of it. */
const ENVELOPE_BYTES = 4 * 1024;

export function limitResult({ value, problems }: ReturnedMessage, line: string): ScriptEnding {
  const bytes = Buffer.byteLength(line);
  if (bytes <= MAX_RESULT_BYTES + ENVELOPE_BYTES) return { kind: "returned", value, problems };
  const message = `the result has ${bytes} bytes as JSON, more than 10 MB`;
  return { kind: "threw", name: "RangeError", message, stack: [] };
}

/** `FILE:LINE:COLUMN` of each frame that stands in the person's file, as an editor opens it. */
export const placesInFile = (stack: string, file: string): string[] =>
  stack.split("\n").flatMap((line) => {
    const [before = "", behind = ""] = line.split(`${file}:`);
    const [place] = /^\d+:\d+/.exec(behind) ?? [];
    return place === undefined || !/^\s*at /.test(before) ? [] : [`${file}:${place}`];
  });

export function describeLoss(loss: ProcessLoss, { syncMs, memoryMb }: ScriptLimits): ScriptEnding {
  if (loss.kind === "silent") {
    const message = `the script ran for ${syncMs / 1_000} s without a pause, and was ended`;
    return { kind: "hung", cause: "loop", message };
  }
  if (loss.kind === "too_long") {
    const message = "the script's process was ended: it said more than 12 MB in one line";
    return { kind: "hung", cause: "protocol", message };
  }
  const { ending, stderr } = loss;
  if (/out of memory|allocation failed/i.test(stderr)) {
    const message = `the script used more than ${memoryMb} MB of memory`;
    return { kind: "hung", cause: "memory", message };
  }
  const how =
    ending.kind === "not_started"
      ? `could not be started: ${ending.problem}`
      : `ended with ${ending.signal ?? ending.exitCode}`;
  const last = lastLineOf(stderr);
  const message = `the script's process ${how}${last === null ? "" : `: ${last}`}`;
  return { kind: "hung", cause: "died", message };
}
