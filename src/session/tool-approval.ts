// What becomes of a tool call in this session, as far as its kind alone can tell. Pure.
import {
  APPROVAL_MODES,
  type ApprovalMode,
  type JsonValue,
  type SessionState,
} from "../core/command/context.ts";
import type { ToolKind } from "../core/step/envelope.ts";
import type { Permission } from "../core/step/verdict.ts";
import type { StageRow } from "../core/store/stages.ts";
import type { Posture } from "./approvals/rules.ts";

interface ModeInForce {
  readonly mode: ApprovalMode;
  readonly source: "stage" | "session" | "settings";
}

/** The word of an attached workflow's stage counts over the session's own, and that over the settings'. */
export function modeInForce(
  { mode }: Pick<SessionState, "mode">,
  settings: Readonly<Record<string, JsonValue | undefined>>,
  stage: Pick<StageRow, "mode"> | null = null,
): ModeInForce {
  if (stage !== null && stage.mode !== null) return { mode: stage.mode, source: "stage" };
  if (mode !== null) return { mode, source: "session" };
  const named = APPROVAL_MODES.find((known) => known === settings.mode);
  return { mode: named ?? "ask", source: "settings" };
}

const READING: ReadonlySet<ToolKind> = new Set<ToolKind>(["read", "search"]);

/** What approval would do now; hooks come before it and may still refuse. */
export function describeApproval(
  kind: ToolKind,
  mode: ApprovalMode,
  posture: Posture | null = null,
): string {
  const ofStage = posture === null ? null : describePosture(kind, posture);
  if (ofStage !== null) return ofStage;
  if (mode === "auto") return "passes: mode auto";
  if (mode === "allowlist") return "asks: unless a rule allows it";
  if (READING.has(kind)) return "passes: only reads inside the project";
  return kind === "shell" ? "asks: unless it only reads inside the project" : "asks";
}

const STAGE_WORDS: readonly (readonly [Permission, (stage: string) => string])[] = [
  ["deny", (stage) => `refused by ${stage}`],
  ["ask", (stage) => `asks: ${stage} wants it`],
  ["allow", (stage) => `passes: ${stage} allows it`],
];

/** Only by rules that speak of a kind as a whole, strictest first. */
function describePosture(kind: ToolKind, { stage, rules }: Posture): string | null {
  const meant = rules.filter(
    ({ match: { kind: kinds, ...more } }) =>
      Object.keys(more).length === 0 && kinds?.includes(kind) !== false,
  );
  const [, words] =
    STAGE_WORDS.find(([action]) => meant.some((rule) => rule.action === action)) ?? [];
  return words?.(stage) ?? null;
}
