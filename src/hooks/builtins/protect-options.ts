import type { Action } from "./verdicts.ts";

export const ACCESSES = ["read", "write"] as const;
export type Access = (typeof ACCESSES)[number];

export interface ProtectOptions {
  readonly paths: readonly string[];
  readonly access: readonly Access[];
  readonly except: readonly string[];
  readonly action: Action;
  readonly reason: string | null;
}
