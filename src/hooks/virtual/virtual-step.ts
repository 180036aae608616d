import type { HookAgent } from "../agents/hook-agent.ts";
import type { Decision } from "../decision.ts";
import type { Envelope } from "../envelope.ts";
import type { VirtualNote } from "../hook-call.ts";
import type { DeskPlace, RunVirtual, VirtualDesk } from "./virtual-desk.ts";

/** What the rest of the program lends to virtual commands. */
export interface VirtualParts {
  openDesk(place: DeskPlace): Promise<VirtualDesk>;
  readonly runVirtual: RunVirtual;
  /** How this program is started, by absolute paths; for the shims. */
  readonly program: readonly string[];
}

/** One step, as far as virtual commands are concerned. */
export interface VirtualStep {
  readonly agent: HookAgent;
  /** With what the hooks made of it. */
  readonly envelope: Envelope;
  readonly decision: Decision;
  readonly place: DeskPlace;
  readonly sessionId: string;
  readonly now: Date;
  /** What is left of the agent's own limit. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface VirtualAnswer {
  readonly decision: Decision;
  readonly note: VirtualNote;
}

/** A text of the agent in which the prefix stands somewhere. */
export interface PrefixedText {
  readonly text: string;
  readonly prefix: string;
}
