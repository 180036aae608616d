// One entry of a hooks file, checked and compiled; plain data, kept as JSON so that no YAML is read on the hook path.
import type { Shell } from "../../core/load/program-definition.ts";
import type { StepSafety, ToolKind } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { RuleLayer } from "../../core/step/verdict.ts";

/** All given fields must match; a field the step does not have never matches. Lists are "any of". */
export interface RuleMatch {
  readonly agent?: readonly string[];
  readonly tool?: readonly string[];
  readonly tool_glob?: readonly string[];
  readonly kind?: readonly ToolKind[];
  readonly safety?: readonly StepSafety[];
  /** Globs, each tried on every simple command inside the line. */
  readonly command?: readonly string[];
  /** Globs on any file argument; a relative one is below the project's root. */
  readonly path?: readonly string[];
  readonly cwd?: readonly string[];
}

export type RuleRun =
  | {
      readonly type: "argv";
      readonly argv: readonly string[];
      readonly argvWindows: readonly string[] | null;
    }
  | { readonly type: "shell"; readonly shell: Shell; readonly command: string }
  | {
      readonly type: "http";
      readonly url: string;
      /** Values may name variables: `Bearer ${TOKEN}`. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "builtin";
      readonly builtin: string;
      /** As its owner wrote it. */
      readonly with: unknown;
      /** As the builtin takes it; absent in a form that an older version kept. */
      readonly options?: unknown;
    };

export interface HookRule {
  readonly name: string;
  readonly on: readonly StepName[];
  readonly match: RuleMatch;
  readonly run: RuleRun;
  readonly protocol: "adjutant" | "claude-code";
  readonly timeoutMs: number;
  /** Null: as the step has it. */
  readonly onError: "block" | "skip" | null;
  readonly isStrict: boolean;
  readonly isOnce: boolean;
  readonly isAsync: boolean;
  readonly isEnabled: boolean;
  /** Its owner knows that not all it runs is what was approved; absent in a form that an older version kept. */
  readonly isUnpinned?: boolean;
  /** Null: the step's own. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly inheritEnv: boolean;
  readonly layer: RuleLayer;
  /** As its owner knows it. */
  readonly file: string;
  /** Against which relative programs are resolved; of a project the folder in the trusted copy. */
  readonly folder: string;
  readonly line: number;
  readonly column: number;
}

/** Everything in force for a project, in the order in which a step runs it. */
export interface HookSet {
  readonly rules: readonly HookRule[];
  /** Hooks files that do not parse and have no last good form: `before_tool` blocks with these. */
  readonly broken: readonly { readonly where: string; readonly problem: string }[];
  /** What `hooks list` and `doctor` tell: stale forms in force, rules that can never match, trust. */
  readonly warnings: readonly string[];
  /** The one of them that the person inside the agent is told: the project's hooks do not count, or not as they are. */
  readonly notice?: string;
  /** How long an `ask` waits in the inbox, by the user's settings. */
  readonly holdMs?: number;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A step tells much about its user's work, so it leaves the machine encrypted or not at all. */
export function isAllowedUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname));
}

// What a rule can do to a step, which decides how its `command` globs are read: what only notes reads them as typed.

/**
 * `restricts`: it may veto, ask or change, so what cannot be read counts as meant. `loosens`: it only allows, so it is
 * for lines that can be read whole. `notes`: nothing depends on it.
 */
export type RuleManner = "restricts" | "loosens" | "notes";

export function ruleManner({ run, isAsync }: Pick<HookRule, "run" | "isAsync">): RuleManner {
  if (run.type === "builtin" && run.builtin === "allow") return "loosens";
  const isNote = run.type === "builtin" && run.builtin === "audit";
  return isNote || isAsync ? "notes" : "restricts";
}
