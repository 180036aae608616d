// What a handler printed, as an outcome. Pure.
import { completeLength } from "../../process/decode-utf8.ts";
import { readVerdict } from "../read-verdict.ts";
import type { StepName } from "../step.ts";
import type { HandlerOutcome } from "./handler-outcome.ts";

export interface PrintedAnswer {
  readonly step: StepName;
  readonly text: string;
  readonly stderr: string | null;
  /** What is no JSON is then an error. */
  readonly isStrict: boolean;
}

export function readAnswer({ step, text, stderr, isStrict }: PrintedAnswer): HandlerOutcome {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "none", diagnostic: null, stderr };
  const parsed = parseJson(trimmed);
  if (parsed === null) {
    const problem = `it printed what is no JSON: ${JSON.stringify(beginning(trimmed))}`;
    return isStrict ? { kind: "error", problem } : { kind: "none", diagnostic: problem, stderr };
  }
  return readGiven({ step, value: parsed.value, stderr });
}

interface GivenVerdict {
  readonly step: StepName;
  readonly value: unknown;
  readonly stderr: string | null;
}

/** A verdict counts only after this, whoever gave it. */
export function readGiven({ step, value, stderr }: GivenVerdict): HandlerOutcome {
  const reading = readVerdict(step, value);
  if (reading.kind === "invalid")
    return { kind: "error", problem: `its verdict is invalid: ${reading.problem}` };
  return { kind: "verdict", verdict: reading.verdict, stderr };
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const SHOWN_BYTES = 200;

function beginning(text: string): string {
  const bytes = Buffer.from(text).subarray(0, SHOWN_BYTES);
  return bytes.toString("utf8", 0, completeLength(bytes));
}
