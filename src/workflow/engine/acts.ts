// How each kind of effect is done once it has begun: by a port, or by waiting.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { maskTexts } from "../../agents/log/json-fields.ts";
import type { JsonValue } from "../../core/command/context.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import { secretValues } from "../../core/secrets/mask.ts";
import type { RunRecord } from "../journal/journal.ts";
import type { Clock } from "./clock.ts";
import type { AgentCallEnding, AgentEffect, Effect, EffectPorts } from "./effect.ts";
import type { RunExecution } from "./execution.ts";
import type { AttemptEnding, LiveRequest, Start } from "./live-effect.ts";

/** Failures of a call that are the script's own fault: it may catch them. All others are null to it, and counted. */
const THROWN_CODES: ReadonlySet<string> = new Set([
  "SchemaInvalid",
  "SchemaUnmet",
  "AgentUnknown",
  "AgentTypeUnknown",
  "ModelUnknown",
  "IsolationRefused",
]);

/** What happens in no session of its own happens in the one it is attached to, or in that of the run. */
const sessionOf = ({ sessionId, id }: Pick<RunRecord, "sessionId" | "id">): string =>
  sessionId ?? id;

/** What is found out in a moment, without anybody. */
export type ValueEffect = Extract<Effect, { kind: "now" | "random" | "file" }>;

export const isValueEffect = (effect: Effect): effect is ValueEffect =>
  effect.kind === "now" || effect.kind === "random" || effect.kind === "file";

export function findValue(
  { clock, run }: Pick<RunExecution, "clock" | "run">,
  effect: ValueEffect,
): JsonValue {
  if (effect.kind === "now") return clock.now();
  if (effect.kind === "random") return Math.random();
  return existsSync(resolve(run.cwd, effect.path));
}

type ActOfEffect = Pick<LiveRequest, "takesSlot" | "newSession" | "act">;

export function chooseAct(
  execution: RunExecution,
  effect: Exclude<Effect, ValueEffect>,
): ActOfEffect {
  const { run, ports, clock, newId } = execution;
  const shared = sessionOf(run);
  switch (effect.kind) {
    case "agent":
      return {
        takesSlot: true,
        newSession: () => (effect.conversation === "same" ? shared : newId()),
        act: (start) => callAgent(execution, effect, start),
      };
    case "command":
      return {
        takesSlot: true,
        newSession: () => shared,
        act: (start) => runCommand(ports, effect, { start, cwd: run.cwd, sessionId: shared }),
      };
    case "ask":
      return {
        takesSlot: false,
        newSession: () => shared,
        act: (start) => ask(execution, effect, start),
      };
    case "sleep":
      return { takesSlot: false, newSession: () => null, act: (start) => sleep(clock, start) };
  }
}

async function callAgent(
  { run, ports, env }: RunExecution,
  effect: AgentEffect,
  start: Start,
): Promise<AttemptEnding> {
  const { entry, isTakenUp, signal, note, stand } = start;
  const ending = await ports.callAgent({
    effect,
    workflowRunId: run.id,
    number: entry.number,
    agent: entry.agent ?? "",
    model: entry.model,
    sessionId: entry.sessionId ?? sessionOf(run),
    ...{ cwd: run.cwd, root: run.root, mode: run.mode, env, isTakenUp, signal },
    worktree: entry.worktree,
    onWorktree: (worktree) => note({ worktree }),
    onConversation: (conversation) => note({ conversation }),
    onRun: (runId) => note({ runId }),
    onWaiting: (why) => {
      note({ waiting: why });
      stand(why);
    },
  });
  return readEnding(ending, effect);
}

function readEnding(ending: AgentCallEnding, { schema }: AgentEffect): AttemptEnding {
  const { usage } = ending;
  switch (ending.kind) {
    case "done":
      return { kind: "done", value: schema === null ? ending.text : ending.data, usage };
    case "quota":
      return { kind: "quota", until: ending.until, usage };
    case "failed": {
      const { code, message } = ending;
      return { kind: "failed", code, message, usage, isThrown: THROWN_CODES.has(code) };
    }
    case "cancelled":
      return { kind: "cancelled", usage };
  }
}

async function runCommand(
  ports: EffectPorts,
  { name, args }: Extract<Effect, { kind: "command" }>,
  {
    start: { signal },
    cwd,
    sessionId,
  }: { readonly start: Start; readonly cwd: string; readonly sessionId: string },
): Promise<AttemptEnding> {
  const result = await ports.runCommand({ name, args, cwd, sessionId, signal });
  if (signal.aborted) return { kind: "cancelled" };
  return { kind: "done", value: { ...result } };
}

async function ask(
  { ports, run, env }: RunExecution,
  { question, choices, isInput }: Extract<Effect, { kind: "ask" }>,
  start: Start,
): Promise<AttemptEnding> {
  const { entry, isTakenUp, signal, note, stand } = start;
  const onWaiting = (why: string | null) => {
    note({ waiting: why });
    stand(why);
  };
  stand("a person must answer");
  let kept: JsonValue | null = null;
  const onKept = (value: JsonValue) => {
    kept = value;
  };
  const answer = await ports.ask({
    ...{ workflowRunId: run.id, number: entry.number, isTakenUp, sessionId: sessionOf(run) },
    ...{ question, choices, isInput, signal, onWaiting, onKept },
  });
  if (answer !== null)
    return { kind: "done", value: answer, kept: maskTexts(kept ?? answer, secretValues(env)) };
  return { kind: "failed", code: "Unanswered", message: "nobody answered" };
}

/** The moment when it is over was journaled when it began: whoever takes it up sleeps only the rest. */
async function sleep(clock: Clock, { entry, signal, stand }: Start): Promise<AttemptEnding> {
  const asked = isJsonObject(entry.asked) ? entry.asked.until : null;
  const until = Date.parse(String(asked));
  stand("it sleeps", until);
  await new Promise<void>((resolve) => {
    const cancel = clock.at(until, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
  return signal.aborted ? { kind: "cancelled" } : { kind: "done", value: null };
}
