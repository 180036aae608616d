// One step through its handlers: the rules in force, the matchers, the state between steps.
import { monotonicMs } from "../monotonic-ms.ts";
import type { HookAgent } from "./agents/hook-agent.ts";
import { type Decision, type HandlerReport, NO_DECISION } from "./decision.ts";
import type { Envelope } from "./envelope.ts";
import type { HandlerOutcome } from "./handlers/handler-outcome.ts";
import type { HandlerPlace } from "./handlers/handler-place.ts";
import { ownProblem } from "./own-problem.ts";
import type { HookRule, HookSet } from "./rule.ts";
import type { AgentSession } from "./session-folder.ts";
import {
  countContinues,
  forgetContinues,
  hasRunOnce,
  markRunOnce,
  noteContinue,
} from "./session-marks.ts";
import { STEP_RULES } from "./step.ts";
import { limitOfStep } from "./step-limit.ts";
import type { StepSubject } from "./subject.ts";

/** The agent has this much left to read the answer before it gives up. */
const SPARE_MS = 2_000;

export type RunRule = (
  rule: HookRule,
  subject: StepSubject,
  place: HandlerPlace,
) => Promise<HandlerOutcome>;

export interface StepAsked {
  readonly agent: HookAgent;
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

export async function decideStep(asked: StepAsked, set: HookSet): Promise<Decision> {
  const { step } = asked.envelope;
  if (step === "before_tool" && set.broken.length > 0) return vetoBroken(set.broken);
  const rules = set.rules.filter((rule) => rule.isEnabled && rule.on.includes(step));
  if (rules.length === 0) return NO_DECISION;
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

function vetoBroken(broken: HookSet["broken"]): Decision {
  const problems = broken.map(({ where, problem }) => `${where}: ${problem}`).join("\n");
  const reason = `${problems}\nno tool runs until this hooks file is repaired; look with \`adj hooks list\``;
  return { ...NO_DECISION, control: "veto", permission: "deny", reason };
}

async function askHandlers(asked: StepAsked, rules: readonly HookRule[]): Promise<Decision> {
  const { envelope, session, env, signal } = asked;
  try {
    const [{ runPipeline }, subjects] = await Promise.all([
      import("./pipeline.ts"),
      import("./step-subject.ts"),
    ]);
    const { stateDir } = session;
    return await runPipeline({
      rules,
      envelope,
      subjectOf: (current) => subjects.subjectOf(asked, current),
      matches: subjects.matches,
      runHandler: (rule, subject, limit) =>
        asked.runRule(rule, subject, { ...limit, env, stateDir }),
      deadlineMs: deadlineOf(asked, envelope),
      now: monotonicMs,
      signal,
      once: {
        hasRun: ({ name }) => hasRunOnce(session, name),
        markRun: ({ name }) => markRunOnce(session, name),
      },
      onAsync: asked.onAsync,
    });
  } catch (error) {
    return vetoUnasked(envelope, rules, error);
  }
}

/** Guards that could not even be matched: those that block on an error do so. */
function vetoUnasked(envelope: Envelope, rules: readonly HookRule[], error: unknown): Decision {
  const { canVeto, onError } = STEP_RULES[envelope.step];
  const guard = rules.find((rule) => !rule.isAsync && (rule.onError ?? onError) === "block");
  if (!canVeto || guard === undefined) throw error;
  return {
    ...NO_DECISION,
    control: "veto",
    permission: "deny",
    decidedBy: guard.name,
    reason: `the hook \`${guard.name}\` could not be asked: ${ownProblem(error)}`,
  };
}
