import type { Paths } from "../config/paths.ts";
import type { NewEvent } from "../dispatch/event.ts";
import type { HookAgent } from "./agents/hook-agent.ts";
import type { RunRule } from "./decide-step.ts";
import type { HookSet } from "./rule.ts";
import type { VirtualParts } from "./virtual/virtual-step.ts";

export interface EntryPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly root: string;
}

/** What answering needs; cold it is made for one call, in the resident it is kept warm. */
export interface HookParts extends VirtualParts {
  findAgent(name: string): HookAgent | null | Promise<HookAgent | null>;
  loadRules(place: { readonly paths: Paths; readonly root: string }): Promise<HookSet>;
  readonly runRule: RunRule;
  /** Whether the agent calls us by an entry of its own, too. */
  hasOwnEntry(agent: string, place: EntryPlace): Promise<boolean>;
  /** Throws where the store cannot be written. */
  record(stateDir: string, events: readonly NewEvent[]): void;
}
