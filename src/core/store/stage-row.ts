// What the stage of a workflow says in a session, as far as others must know: commands, approvals, windows. It is kept per
// session, so that any process can read it; only the workflow's owner writes it.
import type { ApprovalMode, JsonValue } from "../command/context.ts";
import type { Permission } from "../step/verdict.ts";

export interface StageRow {
  readonly runId: string;
  readonly workflow: string;
  readonly stage: string;
  /** From the start of the stage's act to its end. */
  readonly isActing: boolean;
  /** Null where the session's own counts. */
  readonly mode: ApprovalMode | null;
  /** Rules in the language of `match`, strictest first counts. */
  readonly posture: readonly { readonly action: Permission; readonly rule: JsonValue }[];
  /** Destructive commands that do not ask in this stage. */
  readonly commands: readonly string[];
  /** Commands that lists and palettes leave out. */
  readonly hide: readonly string[];
}

export interface StageStore {
  read(sessionId: string): StageRow | null;
  /** Null takes it away. */
  write(sessionId: string, row: StageRow | null): void;
}
