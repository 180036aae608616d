// How tools are approved in a session: what the stage of its workflow says, then itself, then the settings of its project.
import type { JsonValue } from "../../core/command/context.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { requireSettings } from "../../core/load/layers.ts";
import type { Settings } from "../../core/project/settings.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { Permission } from "../../core/step/verdict.ts";
import type { StageRow } from "../../core/store/stages.ts";
import type { Lease, SessionStore, StateStore } from "../../core/store/stores.ts";
import { showRule } from "../../hooks/inbox/approval-question.ts";
import { matchRule } from "../../hooks/match/match-rule.ts";
import type { MatchReading } from "../../hooks/match/read-match.ts";
import type { RuleMatch } from "../../hooks/match/rule.ts";
import type { SessionApprovals } from "./approve-call.ts";
import type { MatchedPosture } from "./decide.ts";

interface ProjectFolders {
  readonly cwd: string;
  readonly root: string;
}

/**
 * The settings that count in a folder, the project's among them as far as it is trusted: as commands see them there.
 * A file that cannot be read counts for nothing: in the middle of a turn its defaults ask a person.
 */
export const readSettingsAt = async (
  program: Program,
  folders: ProjectFolders,
): Promise<Settings> => (await loadAt(program, folders)).settings;

/** The same for what is about to begin: a file that cannot be read is a fault. */
export const requireSettingsAt = async (
  program: Program,
  folders: ProjectFolders,
): Promise<Settings> => requireSettings(await loadAt(program, folders));

async function loadAt({ stateDir, configDir, openCatalog }: Program, folders: ProjectFolders) {
  const { cwd, root } = folders;
  const catalog = await openCatalog({ cwd, root, paths: { stateDir, configDir } });
  return catalog.loaded();
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

// Rules by which tools pass unasked, in the language of `match`; a bare text is a shell line's glob.

/** Reads one rule as a person or a session has it. */
export async function readAllowRule(rule: JsonValue): Promise<MatchReading> {
  const { readMatch } = await import("../../hooks/match/read-match.ts");
  return readMatch(typeof rule === "string" ? { kind: "shell", command: rule } : rule);
}

/** The first rule that allows the call, as it is shown; a rule that cannot be read allows nothing. */
export async function findAllowing(
  rules: readonly JsonValue[],
  subject: StepSubject,
): Promise<string | null> {
  for (const rule of rules) {
    const reading = await readAllowRule(rule);
    if (reading.kind === "rule" && matchRule(reading.match, subject, "loosens").matches)
      return showRule(rule);
  }
  return null;
}

/** What a workflow's stage says of tools. */
export interface Posture {
  /** As a person knows it: `stage plan`. */
  readonly stage: string;
  readonly rules: readonly { readonly action: Permission; readonly match: RuleMatch }[];
}

const STRICTEST_FIRST: readonly Permission[] = ["deny", "ask", "allow"];

/** The strictest rule that speaks of the call; null where none does. */
export function findPosture(posture: Posture | null, subject: StepSubject): MatchedPosture | null {
  if (posture === null) return null;
  const { stage, rules } = posture;
  const action = STRICTEST_FIRST.find((wanted) => {
    const manner = wanted === "allow" ? "loosens" : "restricts";
    const isMeant = rules.filter((rule) => rule.action === wanted);
    return isMeant.some(({ match }) => matchRule(match, subject, manner).matches);
  });
  return action === undefined ? null : { action, stage };
}
