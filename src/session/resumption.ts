// Opening a saved session: what it becomes here, and what no longer fits.
import {
  type CandidateAgent,
  type Negotiation,
  NO_HISTORY,
  needsOf,
  negotiate,
} from "../agents/choice/choice.ts";
import { EMPTY_SESSION, type SessionState } from "../core/command/context.ts";
import type { Turn } from "../core/store/turn-row.ts";
import type { SavedTurns } from "../core/store/turns.ts";
import type { SessionManifest } from "./manifest.ts";

export interface ResumptionProblem {
  readonly kind: "agent" | "model" | "mode" | "conversation" | "command" | "param" | "workflow";
  readonly name: string;
  readonly problem: string;
}

/** Params and rules are no part of a manifest: those of the session stay as they are. */
export function resumeState(
  { agent, model, mode }: SessionManifest,
  current: SessionState,
  { takesMode }: { readonly takesMode: boolean },
): SessionState {
  return { ...current, agent, model, ...(takesMode ? { mode } : {}) };
}

/** Whether opening the manifest would throw away turns that it does not have. */
export const losesTurns = (
  { turns }: SessionManifest,
  current: readonly Pick<Turn, "queuedAt">[],
): boolean => !current.every((turn, at) => turns[at]?.queued_at === turn.queuedAt);

interface RestoreContext {
  /** Turns get new ids: their old ones may still be those of another session. */
  newId(): string;
  readonly root: string;
  isFolder(path: string): boolean;
}

/** The rows of a saved session. A conversation whose folder is gone is left out: its transcript remains. */
export function restoredTurns(
  { turns, conversations }: SessionManifest,
  { newId, root, isFolder }: RestoreContext,
): SavedTurns {
  const options = { cwd: root, root, agent: null, model: null, params: {}, via: null };
  return {
    turns: turns.map(({ run_id, queued_at, started_at, ended_at, ...turn }) => ({
      ...turn,
      id: newId(),
      runId: run_id,
      queuedAt: queued_at,
      startedAt: started_at,
      endedAt: ended_at,
      problem: null,
      owner: null,
      options,
    })),
    conversations: conversations.filter(({ cwd }) => isFolder(cwd)),
  };
}

interface ResumeContext {
  readonly agents: readonly CandidateAgent[];
  readonly commands: Readonly<Record<string, string>>;
  readonly params: SessionState["params"];
  isFolder(path: string): boolean;
}

export function findMisfits(manifest: SessionManifest, now: ResumeContext): ResumptionProblem[] {
  return [
    ...findAgentMisfits(manifest, now),
    ...findConversationMisfits(manifest, now),
    ...findCommandMisfits(manifest, now),
    ...findLostParams(manifest, now),
  ];
}

function findAgentMisfits(
  manifest: SessionManifest,
  { agents, params }: ResumeContext,
): ResumptionProblem[] {
  const { agent, model, turns } = manifest;
  const needs = needsOf({ ...EMPTY_SESSION, params }, { ...NO_HISTORY, turns: turns.length });
  const answer = negotiate({ agent, model }, agents, needs);
  return answer.kind === "accepted" ? [] : [describeRefusal(answer, agent ?? "")];
}

function findConversationMisfits(
  { conversations }: SessionManifest,
  { agents, isFolder }: ResumeContext,
): ResumptionProblem[] {
  return conversations.flatMap(({ agent, cwd }): ResumptionProblem[] => {
    const card = agents.find(({ name }) => name === agent);
    const lost = "its transcript is handed over instead";
    if (card?.capabilities.includes("resume") === false)
      return [{ kind: "conversation", name: agent, problem: `it cannot be resumed; ${lost}` }];
    if (card === undefined || isFolder(cwd)) return [];
    return [{ kind: "conversation", name: agent, problem: `\`${cwd}\` is gone; ${lost}` }];
  });
}

function describeRefusal(
  answer: Exclude<Negotiation, { kind: "accepted" }>,
  agent: string,
): ResumptionProblem {
  if (answer.kind === "agent-unknown")
    return { kind: "agent", name: agent, problem: "there is no such agent here" };
  if (answer.kind === "capability-missing")
    return { kind: "agent", name: agent, problem: `it lacks ${answer.capabilities.join(", ")}` };
  const problem =
    answer.kind === "model-refused" ? `it ${answer.problem}` : `\`${agent}\` does not have it`;
  return { kind: "model", name: answer.model, problem };
}

function findCommandMisfits(
  manifest: SessionManifest,
  { commands }: ResumeContext,
): ResumptionProblem[] {
  return Object.entries(manifest.commands).flatMap(([name, digest]): ResumptionProblem[] => {
    const now = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (now === digest) return [];
    const problem = now === undefined ? "it is gone" : "it changed since the session was saved";
    return [{ kind: "command", name, problem }];
  });
}

function findLostParams(manifest: SessionManifest, { params }: ResumeContext): ResumptionProblem[] {
  return manifest.param_paths
    .filter((path) => !Object.hasOwn(params, path))
    .map((name) => ({ kind: "param", name, problem: "its value was not saved; set it again" }));
}
