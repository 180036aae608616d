import type { Verdict } from "../verdict.ts";

/** What a guard does about what it found. */
export const ACTIONS = ["deny", "ask"] as const;
export type Action = (typeof ACTIONS)[number];

export const NO_INTERVENTION: Verdict = {};

export const refuse = (reason: string): Verdict => ({ control: "veto", reason });

export const askPerson = (reason: string): Verdict => ({ permission: "ask", reason });

export const act = (action: Action, reason: string): Verdict =>
  action === "ask" ? askPerson(reason) : refuse(reason);
