// How tools are approved in a session: what it says itself, over what the settings say.
import { APPROVAL_MODES, type JsonValue } from "../../core/command/context.ts";
import type { Lease, SessionStore } from "../../core/store/stores.ts";
import type { SessionApprovals } from "./approve-call.ts";

type Settings = Readonly<Record<string, JsonValue | undefined>>;

export function readSessionApprovals(
  store: Pick<SessionStore, "read">,
  sessionId: string,
  settings: Settings,
): SessionApprovals {
  const { mode, allow } = store.read(sessionId);
  const ofSettings = APPROVAL_MODES.find((known) => known === settings.mode) ?? "ask";
  return { mode: mode ?? ofSettings, allow };
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
