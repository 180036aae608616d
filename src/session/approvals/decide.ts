// Whether a tool may run in a turn, or for a command: hooks, then the workflow's posture, then the mode. Pure.
import type { ApprovalMode } from "../../core/command/context.ts";
import type { StepSafety, ToolKind } from "../../core/step/envelope.ts";
import type { Permission } from "../../core/step/verdict.ts";

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
