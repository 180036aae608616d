// How tools are approved in a session: what the stage of its workflow says, then itself, then the settings.
import { APPROVAL_MODES, type JsonValue } from "../../core/command/context.ts";
import type { StageRow } from "../../core/store/stage-row.ts";
import type { Lease, SessionStore, StateStore } from "../../core/store/stores.ts";
import type { RuleMatch } from "../../hooks/match/rule.ts";
import type { SessionApprovals } from "./approve-call.ts";
import { type Posture, readAllowRule } from "./rules.ts";

type Settings = Readonly<Record<string, JsonValue | undefined>>;

export async function readSessionApprovals(
  store: Pick<StateStore, "read" | "stages">,
  sessionId: string,
  settings: Settings,
): Promise<SessionApprovals> {
  const { mode, allow } = store.read(sessionId);
  const stage = store.stages.read(sessionId);
  const ofSettings = APPROVAL_MODES.find((known) => known === settings.mode) ?? "ask";
  return {
    mode: stage?.mode ?? mode ?? ofSettings,
    allow,
    posture: stage === null ? null : await readStagePosture(stage),
  };
}

/** Matches every tool. */
const ANY_TOOL: RuleMatch = {};

/** A rule that cannot be read denies whatever is asked: what it was to refuse is not known. */
export async function readStagePosture({
  stage,
  posture,
}: Pick<StageRow, "stage" | "posture">): Promise<Posture> {
  const readings = posture.map(async ({ action, rule }): Promise<Posture["rules"][number]> => {
    const reading = await readAllowRule(rule);
    if (reading.kind === "invalid") return { action: "deny", match: ANY_TOOL };
    return { action, match: reading.match };
  });
  return { stage: `stage ${stage}`, rules: await Promise.all(readings) };
}

interface RuleToRemember {
  readonly sessionId: string;
  readonly root: string | null;
  readonly rule: JsonValue;
  readonly signal: AbortSignal;
  /** The session's lease, where whoever asks holds it. */
  readonly held: Lease | null;
}

/** Keeps a rule for the rest of the session. */
export async function rememberRule(
  store: SessionStore,
  { sessionId, root, rule, signal, held }: RuleToRemember,
): Promise<void> {
  store.ensure(sessionId, root);
  const lease = held ?? (await store.acquire(sessionId, signal));
  try {
    const state = store.read(sessionId);
    const isKnown = state.allow.some((one) => JSON.stringify(one) === JSON.stringify(rule));
    if (!isKnown) store.commit(lease, { state: { ...state, allow: [...state.allow, rule] } });
  } finally {
    if (held === null) lease.release();
  }
}
