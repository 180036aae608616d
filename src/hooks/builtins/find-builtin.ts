// The handlers that come with the program. What they need beyond their options is loaded when they decide.
import { askNetwork } from "./ask-network.ts";
import type { Builtin } from "./builtin.ts";
import { gitGuard } from "./git-guard.ts";
import { noSecrets } from "./no-secrets.ts";
import { allow, ask, audit, deny, requireApproval } from "./plain-builtins.ts";
import { protectPaths } from "./protect-paths.ts";
import { rateLimit } from "./rate-limit.ts";
import { redact } from "./redact.ts";
import { runBeforeStop, testsBeforeStop } from "./run-before-stop.ts";

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>(
  [
    ...[allow, ask, askNetwork, audit, deny, gitGuard, noSecrets, protectPaths],
    ...[rateLimit, redact, requireApproval, runBeforeStop, testsBeforeStop],
  ].map((builtin) => [builtin.name, builtin]),
);

export const findBuiltin = (name: string): Builtin | null => BUILTINS.get(name) ?? null;

export const builtinNames = (): string[] => [...BUILTINS.keys()].sort();
