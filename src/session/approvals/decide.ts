// Whether a tool may run in a turn, or for a command: hooks, then the workflow's posture, then the mode. Pure.
import {
  APPROVAL_MODES,
  type ApprovalMode,
  type JsonValue,
  type SessionState,
} from "../../core/command/context.ts";
import type { StepSafety, ToolKind } from "../../core/step/envelope.ts";
import type { Permission } from "../../core/step/verdict.ts";
import type { StageRow } from "../../core/store/stages.ts";
import type { Posture } from "./rules.ts";

/** Where the files lie that a call names: all inside the project, one outside, or not to be said. */
export type Reach = "inside" | "outside" | "unknown";

/** The rule of a workflow's stage that speaks of the call. */
export interface MatchedPosture {
  readonly action: Permission;
  /** As a person knows it: `stage plan`. */
  readonly stage: string;
}

export interface ApprovalFacts {
  readonly kind: ToolKind;
  readonly safety: StepSafety;
  readonly reach: Reach;
  /** The reason of the hooks' veto; null where they let it pass. */
  readonly veto: string | null;
  /** What the hooks said of permission, and why. */
  readonly permission: Permission | null;
  readonly hookReason: string | null;
  readonly posture: MatchedPosture | null;
  readonly mode: ApprovalMode;
  /** The rule of the session that allows it, as it is shown. */
  readonly allowedBy: string | null;
}

export type ApprovalDecision =
  | { readonly kind: "pass"; readonly why: string }
  | { readonly kind: "ask"; readonly why: string }
  | { readonly kind: "deny"; readonly reason: string };

export function decideApproval(facts: ApprovalFacts): ApprovalDecision {
  const { veto, permission, hookReason, posture } = facts;
  if (veto !== null) return { kind: "deny", reason: veto };
  if (permission === "deny") return { kind: "deny", reason: hookReason ?? "a hook refused it" };
  if (posture?.action === "deny") return { kind: "deny", reason: `refused by ${posture.stage}` };
  if (permission === "ask") return ask(hookReason ?? "a hook wants a person's word");
  if (posture?.action === "ask") return ask(`${posture.stage} wants a person's word`);
  if (posture?.action === "allow") return pass(`${posture.stage} allows it`);
  if (permission === "allow") return pass("a hook allows it");
  return decideByMode(facts);
}

function decideByMode({ mode, allowedBy, ...facts }: ApprovalFacts): ApprovalDecision {
  if (mode === "auto") return pass("mode auto");
  if (allowedBy !== null) return pass(`the rule ${allowedBy} allows it`);
  if (mode === "allowlist") return ask("no rule allows it");
  return readsInside(facts) ? pass("it only reads inside the project") : ask(whyAsked(facts));
}

type Doing = Pick<ApprovalFacts, "kind" | "safety" | "reach">;

const READING: ReadonlySet<ToolKind> = new Set(["read", "search", "shell"]);

const readsInside = ({ kind, safety, reach }: Doing): boolean =>
  READING.has(kind) && safety === "read_only" && reach === "inside";

function whyAsked({ safety, reach }: Doing): string {
  if (safety !== "read_only") return WHAT_IT_DOES[safety];
  return reach === "outside" ? "it reads outside the project" : "what it reads cannot be said";
}

const WHAT_IT_DOES: Readonly<Record<Exclude<StepSafety, "read_only">, string>> = {
  network: "it uses the network",
  mutating: "it may change something",
  destructive: "it may destroy something",
};

const pass = (why: string): ApprovalDecision => ({ kind: "pass", why });
const ask = (why: string): ApprovalDecision => ({ kind: "ask", why });

// What becomes of a tool call in this session, as far as its kind alone can tell. Pure.

interface ModeInForce {
  readonly mode: ApprovalMode;
  readonly source: "stage" | "session" | "settings";
}

/** The word of an attached workflow's stage counts over the session's own, and that over the settings'. */
export function modeInForce(
  { mode }: Pick<SessionState, "mode">,
  settings: Readonly<Record<string, JsonValue | undefined>>,
  stage: Pick<StageRow, "mode"> | null,
): ModeInForce {
  if (stage !== null && stage.mode !== null) return { mode: stage.mode, source: "stage" };
  if (mode !== null) return { mode, source: "session" };
  const named = APPROVAL_MODES.find((known) => known === settings.mode);
  return { mode: named ?? "ask", source: "settings" };
}

const READING_KINDS: ReadonlySet<ToolKind> = new Set<ToolKind>(["read", "search"]);

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
  if (READING_KINDS.has(kind)) return "passes: only reads inside the project";
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
