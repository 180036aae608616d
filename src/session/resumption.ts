// Opening a saved session: what it becomes here, and what no longer fits.
import {
  type CandidateAgent,
  type Negotiation,
  needsOf,
  negotiate,
} from "../agents/choice/choice.ts";
import { EMPTY_SESSION, type SessionState } from "../core/command/context.ts";
import type { SessionManifest } from "./manifest.ts";

export interface Misfit {
  readonly kind: "agent" | "model" | "command" | "param";
  readonly name: string;
  readonly problem: string;
}

/** Params are no part of a manifest: those of the session stay as they are. */
export function resumeState(manifest: SessionManifest, current: SessionState): SessionState {
  const { agent, model, workflow, turns } = manifest;
  return { ...current, agent, model, workflow, turns };
}

/** Whether opening the manifest would throw away turns that it does not have. */
export function losesTurns(manifest: SessionManifest, current: SessionState): boolean {
  return !current.turns.every((turn, at) => manifest.turns[at]?.at === turn.at);
}

interface ResumeContext {
  readonly agents: readonly CandidateAgent[];
  readonly commands: Readonly<Record<string, string>>;
  readonly params: SessionState["params"];
}

export function findMisfits(manifest: SessionManifest, now: ResumeContext): Misfit[] {
  return [
    ...findAgentMisfits(manifest, now),
    ...findCommandMisfits(manifest, now),
    ...findLostParams(manifest, now),
  ];
}

function findAgentMisfits(manifest: SessionManifest, { agents, params }: ResumeContext): Misfit[] {
  const { agent, model } = manifest;
  const needs = needsOf({ ...EMPTY_SESSION, ...manifest, params });
  const answer = negotiate({ agent, model }, agents, needs);
  if (answer.kind !== "accepted") return [describeRefusal(answer, agent ?? "")];
  return agent !== null && agents.length === 0
    ? [{ kind: "agent", name: agent, problem: "no agent is known, so it was not checked" }]
    : [];
}

function describeRefusal(
  answer: Exclude<Negotiation, { kind: "accepted" }>,
  agent: string,
): Misfit {
  if (answer.kind === "agent-unknown")
    return { kind: "agent", name: agent, problem: "there is no such agent here" };
  if (answer.kind === "capability-missing")
    return { kind: "agent", name: agent, problem: `it lacks ${answer.capabilities.join(", ")}` };
  return { kind: "model", name: answer.model, problem: `\`${agent}\` does not have it` };
}

function findCommandMisfits(manifest: SessionManifest, { commands }: ResumeContext): Misfit[] {
  return Object.entries(manifest.commands).flatMap(([name, digest]): Misfit[] => {
    const now = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (now === digest) return [];
    const problem = now === undefined ? "it is gone" : "it changed since the session was saved";
    return [{ kind: "command", name, problem }];
  });
}

function findLostParams(manifest: SessionManifest, { params }: ResumeContext): Misfit[] {
  return manifest.param_paths
    .filter((path) => !Object.hasOwn(params, path))
    .map((name) => ({ kind: "param", name, problem: "its value was not saved; set it again" }));
}
