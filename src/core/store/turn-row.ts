// A turn of a session, as the program knows it and as it lies on the disk.
import type { JsonValue } from "../command/context.ts";
import type { ProcessIdentity } from "../process/identity.ts";
import { isJsonObject } from "../project/json-value.ts";
import { jsonIn, numberIn, ownerIn, type Row, textIn, textOrNullIn } from "./row.ts";

const TURN_STATUSES = ["queued", "running", "waiting", "done", "failed", "cancelled"] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

/** What a turn was asked for with; what the session says counts when it starts, below these. */
export interface TurnOptions {
  readonly cwd: string;
  readonly root: string;
  readonly agent: string | null;
  readonly model: string | null;
  readonly params: { readonly [path: string]: JsonValue };
  readonly via: string | null;
  /** The process that waits for it: without that one it makes no sense, and no other host runs it. */
  readonly asker?: ProcessIdentity;
}

export interface TurnProblem {
  readonly class: string;
  readonly code: string;
  readonly message: string;
  /** What the one who sent it exits with, where it is not the 1 of any failure. */
  readonly exitCode?: number;
}

/** One prompt and all that the agent did until it stopped. Texts are masked. */
export interface Turn {
  readonly id: string;
  readonly sessionId: string;
  readonly number: number;
  readonly status: TurnStatus;
  readonly prompt: string;
  readonly answer: string | null;
  readonly options: TurnOptions;
  /** As resolved when it started; null before. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly runId: string | null;
  readonly conversation: string | null;
  readonly problem: TurnProblem | null;
  /** The process that runs it, or ran it; null before. */
  readonly owner: ProcessIdentity | null;
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export function turnIn(row: Row): Turn {
  const status = textIn(row, "status");
  return {
    id: textIn(row, "id"),
    sessionId: textIn(row, "session_id"),
    number: numberIn(row, "number"),
    status: TURN_STATUSES.find((known) => known === status) ?? "failed",
    prompt: textIn(row, "prompt"),
    answer: textOrNullIn(row, "answer"),
    options: optionsIn(row),
    agent: textOrNullIn(row, "agent"),
    model: textOrNullIn(row, "model"),
    runId: textOrNullIn(row, "run_id"),
    conversation: textOrNullIn(row, "conversation"),
    problem: problemIn(row),
    owner: row.pid === null ? null : ownerIn(row),
    queuedAt: textIn(row, "queued_at"),
    startedAt: textOrNullIn(row, "begun_at"),
    endedAt: textOrNullIn(row, "ended_at"),
  };
}

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === "string" ? value : null;

function optionsIn(row: Row): TurnOptions {
  const value = jsonIn(row, "options");
  const given = isJsonObject(value) ? value : {};
  return {
    cwd: textOf(given.cwd) ?? "/",
    root: textOf(given.root) ?? "/",
    agent: textOf(given.agent),
    model: textOf(given.model),
    params: isJsonObject(given.params) ? given.params : {},
    via: textOf(given.via),
    ...askerIn(given.asker),
  };
}

function askerIn(value: JsonValue | undefined): Pick<TurnOptions, "asker"> {
  if (!isJsonObject(value)) return {};
  const { pid, startedAt, host } = value;
  if (typeof pid !== "number" || typeof startedAt !== "string" || typeof host !== "string")
    return {};
  return { asker: { pid, startedAt, host } };
}

function problemIn(row: Row): TurnProblem | null {
  if (row.problem === null) return null;
  const value = jsonIn(row, "problem");
  const given = isJsonObject(value) ? value : {};
  return {
    class: textOf(given.class) ?? "Internal",
    code: textOf(given.code) ?? "Unknown",
    message: textOf(given.message) ?? "",
    ...(typeof given.exitCode === "number" ? { exitCode: given.exitCode } : {}),
  };
}
