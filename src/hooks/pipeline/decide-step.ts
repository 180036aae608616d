// One step through its handlers: the rules in force, the matchers, the state between steps.
import type { HookAbilities } from "../../agents/steps/hook-agent.ts";
import type { ToolCallReader } from "../../agents/steps/tool-table.ts";
import { ownProblem } from "../../core/command/fault.ts";
import { monotonicMs } from "../../core/command/time.ts";
import type { Envelope, StepSubject } from "../../core/step/envelope.ts";
import { limitOfStep } from "../../core/step/step.ts";
import { type HandlerReport, NO_DECISION, type StepDecision } from "../../core/step/verdict.ts";
import type { HandlerOutcome } from "../handlers/protocol.ts";
import type { HandlerContext } from "../handlers/run.ts";
import type { HookRule, HookSet } from "../match/rule.ts";
import { isBlockingRule } from "./guard-marker.ts";
import type { HookCall } from "./hook-call.ts";
import { SELF_RULE, selfRules } from "./self-rule.ts";
import {
  type AgentSession,
  countContinues,
  forgetContinues,
  hasRunOnce,
  markRunOnce,
  noteContinue,
  sessionFolder,
} from "./session.ts";

/** The agent has this much left to read the answer before it gives up. */
const SPARE_MS = 2_000;

export type RunRule = (
  rule: HookRule,
  subject: StepSubject,
  context: HandlerContext,
) => Promise<HandlerOutcome>;

/** What of an agent is needed to decide: how its calls are read, and how long it waits. */
export interface StepReader extends ToolCallReader {
  readonly abilities: Pick<HookAbilities, "hookLimitMs" | "maxHookLimitMs">;
}

interface StepAsked {
  readonly agent: StepReader;
  readonly envelope: Envelope;
  readonly session: AgentSession;
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly startedAt: number;
  readonly signal: AbortSignal;
  readonly runRule: RunRule;
  readonly onAsync: (report: Promise<HandlerReport>) => void;
}

/** By when all handlers of the step have to be through. */
export const deadlineOf = (
  { agent, startedAt }: Pick<StepAsked, "agent" | "startedAt">,
  { step }: Pick<Envelope, "step">,
): number => startedAt + limitOfStep(step, agent.abilities.hookLimitMs) - SPARE_MS;

export interface HeldCall
  extends Pick<StepAsked, "agent" | "startedAt" | "envelope">,
    Pick<HookCall, "entryLimitMs"> {
  /** Told until when, where the agent's entry gives a person another time than the usual. */
  onHeld(untilMs: number): void;
}

/**
 * Until when a person may be waited for, by the word of the entry itself. Where it says nothing, or more than the agent
 * can be told, it is the usual time.
 */
export function beginHold({ agent, startedAt, envelope, entryLimitMs, onHeld }: HeldCall): number {
  const { maxHookLimitMs = 0 } = agent.abilities;
  if (entryLimitMs === undefined || entryLimitMs > maxHookLimitMs)
    return deadlineOf({ agent, startedAt }, envelope);
  const untilMs = startedAt + entryLimitMs - SPARE_MS;
  onHeld(untilMs);
  return untilMs;
}

export async function decideStep(asked: StepAsked, set: HookSet): Promise<StepDecision> {
  const { step } = asked.envelope;
  if (step === "before_tool" && set.broken.length > 0) return vetoBroken(set.broken);
  const { env, home, root, session } = asked;
  const own = selfRules(step, set, { env, home, root, stateDir: session.stateDir });
  const rules = [...set.rules.filter((rule) => rule.isEnabled && rule.on.includes(step)), ...own];
  if (rules.length === 0) return NO_DECISION;
  const tooLong = vetoLongLine(asked, rules);
  if (tooLong !== null) return tooLong;
  const whose = turnOf(asked.envelope);
  if (whose === null) return askHandlers(asked, rules);
  const { continues_so_far = countContinues(asked.session, whose) } = asked.envelope;
  const decision = await askHandlers(
    { ...asked, envelope: { ...asked.envelope, continues_so_far } },
    rules,
  );
  if (decision.control === "veto") noteContinue(asked.session, whose, continues_so_far + 1);
  else forgetContinues(asked.session, whose);
  return decision;
}

/**
 * Whose turn it is that ends here; null where none does. A prompt begins no turn for this count: three of
 * the agents hand on the reason to continue as one. Each says itself when it stops for the first time.
 */
function turnOf({ step, native, agent_type }: Envelope): string | null {
  if (step === "before_turn_end") return "turn";
  if (step !== "subagent_end") return null;
  const { agent_id } = native;
  return `subagent ${typeof agent_id === "string" ? agent_id : (agent_type ?? "")}`;
}

/** No agent types as much; whoever does wants something to be overlooked. */
const MAX_LINE_BYTES = 256 * 1024;

function vetoLongLine({ agent, envelope }: StepAsked, rules: readonly HookRule[]) {
  const guard = rules.find((rule) => isBlockingRule(rule, envelope.step));
  if (guard === undefined || envelope.kind !== "shell") return null;
  const line = agent.shellLine(envelope) ?? "";
  if (line.length <= MAX_LINE_BYTES / 4 || Buffer.byteLength(line) <= MAX_LINE_BYTES) return null;
  const reason =
    "the line is over 256 KB, which no guard looks through; write a file and run that, or do it in pieces";
  return { ...NO_DECISION, ...REFUSED, decidedBy: guard.name, reason };
}

const REFUSED = { control: "veto", permission: "deny" } as const;

function vetoBroken(broken: HookSet["broken"]): StepDecision {
  const problems = broken.map(({ where, problem }) => `${where}: ${problem}`).join("\n");
  const reason = `${problems}\nno tool runs until this hooks file is repaired; look with \`adj hooks list\``;
  return { ...NO_DECISION, ...REFUSED, reason };
}

async function askHandlers(asked: StepAsked, rules: readonly HookRule[]): Promise<StepDecision> {
  const { envelope, session, env, signal } = asked;
  try {
    const [{ runPipeline }, { matchesStep }, { makeSubject }] = await Promise.all([
      import("./pipeline.ts"),
      import("../match/match-rule.ts"),
      import("../match/step-subject.ts"),
    ]);
    const { stateDir } = session;
    const decision = await runPipeline({
      rules,
      envelope,
      subjectOf: (current) => makeSubject(asked, current),
      matches: matchesStep,
      runHandler: (rule, subject, limit) =>
        asked.runRule(rule, subject, {
          ...limit,
          env,
          stateDir,
          sessionDir: sessionFolder(session),
        }),
      deadlineMs: deadlineOf(asked, envelope),
      now: monotonicMs,
      signal,
      once: {
        hasRun: ({ name }) => hasRunOnce(session, name),
        markRun: ({ name }) => markRunOnce(session, name),
      },
      onAsync: asked.onAsync,
    });
    // Nobody wrote it, so nobody need hear that it had nothing to say.
    const reports = decision.reports.filter(
      ({ rule, did }) => rule !== SELF_RULE || did !== "nothing",
    );
    return { ...decision, reports };
  } catch (error) {
    return vetoUnasked(envelope, rules, error);
  }
}

/** Guards that could not even be matched: those that block on an error do so. */
function vetoUnasked(envelope: Envelope, rules: readonly HookRule[], error: unknown): StepDecision {
  const guard = rules.find((rule) => isBlockingRule(rule, envelope.step));
  if (guard === undefined) throw error;
  return {
    ...NO_DECISION,
    ...REFUSED,
    decidedBy: guard.name,
    reason: `the hook \`${guard.name}\` could not be asked: ${ownProblem(error)}`,
  };
}
