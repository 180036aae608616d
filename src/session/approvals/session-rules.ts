// How tools are approved in a session: what it says itself, over what the settings of its project say.
import type { JsonValue } from "../../core/command/context.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { Settings } from "../../core/project/settings.ts";
import type { Lease, SessionStore } from "../../core/store/stores.ts";
import type { SessionApprovals } from "./approve-call.ts";

/** The settings that count in a folder, the project's among them as far as it is trusted: as commands see them there. */
export async function readSettingsAt(
  { stateDir, configDir, openCatalog }: Program,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Promise<Settings> {
  const catalog = await openCatalog({ cwd, root, paths: { stateDir, configDir } });
  return (await catalog.loaded()).settings;
}

/** The rules of the settings count in `allowlist`; what was said yes to in this session counts in `ask` as well. */
export async function readSessionApprovals(
  store: Pick<SessionStore, "read">,
  sessionId: string,
  readSettings: () => Promise<Pick<Settings, "mode" | "allow">>,
): Promise<SessionApprovals> {
  const { mode, allow } = store.read(sessionId);
  if (mode !== null && mode !== "allowlist") return { mode, allow };
  const settings = await readSettings();
  const inForce = mode ?? settings.mode;
  return { mode: inForce, allow: inForce === "allowlist" ? [...settings.allow, ...allow] : allow };
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
