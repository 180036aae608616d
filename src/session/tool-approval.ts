// What becomes of a tool call in this session, as far as its kind alone can tell. Pure.
import {
  APPROVAL_MODES,
  type ApprovalMode,
  type JsonValue,
  type SessionState,
} from "../core/command/context.ts";
import type { ToolKind } from "../core/step/envelope.ts";

interface ModeInForce {
  readonly mode: ApprovalMode;
  readonly source: "session" | "settings";
}

/** The session's own word counts over the settings'. */
export function modeInForce(
  { mode }: Pick<SessionState, "mode">,
  settings: Readonly<Record<string, JsonValue | undefined>>,
): ModeInForce {
  if (mode !== null) return { mode, source: "session" };
  const named = APPROVAL_MODES.find((known) => known === settings.mode);
  return { mode: named ?? "ask", source: "settings" };
}

const READING: ReadonlySet<ToolKind> = new Set<ToolKind>(["read", "search"]);

/** What approval would do now; hooks come before it and may still refuse. */
export function describeApproval(kind: ToolKind, mode: ApprovalMode): string {
  if (mode === "auto") return "passes: mode auto";
  if (mode === "allowlist") return "asks: unless a rule allows it";
  if (READING.has(kind)) return "passes: only reads inside the project";
  return kind === "shell" ? "asks: unless it only reads inside the project" : "asks";
}
