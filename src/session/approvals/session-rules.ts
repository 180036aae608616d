// How tools are approved in a session: what the stage of its workflow says, then itself, then the settings of its project.
import type { JsonValue } from "../../core/command/context.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { Settings } from "../../core/project/settings.ts";
import type { StageRow } from "../../core/store/stage-row.ts";
import type { Lease, SessionStore, StateStore } from "../../core/store/stores.ts";
import type { RuleMatch } from "../../hooks/match/rule.ts";
import type { SessionApprovals } from "./approve-call.ts";
import { type Posture, readAllowRule } from "./rules.ts";

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
  store: Pick<StateStore, "read" | "stages">,
  sessionId: string,
  readSettings: () => Promise<Pick<Settings, "mode" | "allow">>,
): Promise<SessionApprovals> {
  const own = store.read(sessionId);
  const stage = store.stages.read(sessionId);
  const posture = stage === null ? null : await readStagePosture(stage);
  const mode = stage?.mode ?? own.mode;
  const { allow } = own;
  if (mode !== null && mode !== "allowlist") return { mode, allow, posture };
  const settings = await readSettings();
  const inForce = mode ?? settings.mode;
  const rules = inForce === "allowlist" ? [...settings.allow, ...allow] : allow;
  return { mode: inForce, allow: rules, posture };
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
