// The variables that a hook call carries, and the environment that a handler gets of them.
import { HOOK_VARIABLES } from "../../agents/roster.ts";
import { BASE_FAMILIES, BASE_NAMES } from "../../core/process/environment.ts";
import type { Envelope, StepSubject } from "../../core/step/envelope.ts";
import type { HookRule } from "../match/rule.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The base set and the agent's own, the step's, then the definition's, which win. */
export function handlerEnvironment(
  rule: HookRule,
  { envelope, root }: StepSubject,
  source: Variables,
): Record<string, string> {
  const given = rule.inheritEnv ? definedOnly(source) : selectHookVariables(source);
  // The tool that an outer step left behind would be another one. The others name files that shells read first.
  const { ADJ_TOOL_NAME: _tool, BASH_ENV: _bash, ENV: _sh, ...inherited } = given;
  return {
    ...inherited,
    SHLVL: BELOW_A_SHELL,
    ZDOTDIR: NO_FOLDER,
    ...stepVariables(envelope),
    [DEPTH]: String(hookDepth(source) + 1),
    ...(rule.protocol === "claude-code" ? { CLAUDE_PROJECT_DIR: root } : {}),
    ...rule.env,
  };
}

/** At the top level bash takes a socket for a sign of `rshd` and reads `~/.bashrc` (5.2); one level down it does not. */
const BELOW_A_SHELL = "1";

/** Every zsh reads `.zshenv` from there, a script's and one behind `env` too; without the variable from the home (5.9). */
const NO_FOLDER = "/dev/null";

function definedOnly(source: Variables): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(source))
    if (value !== undefined) defined[name] = value;
  return defined;
}

const stepVariables = (envelope: Envelope): Record<string, string> => ({
  ADJ_SESSION_ID: envelope.session_id,
  ADJ_CWD: envelope.cwd,
  ADJ_STEP: envelope.step,
  ADJ_AGENT: envelope.agent,
  ADJ_CORRELATION_ID: envelope.correlation_id,
  ...(envelope.tool === undefined ? {} : { ADJ_TOOL_NAME: envelope.tool }),
});

const DEPTH = "ADJ_HOOK_DEPTH";
export const MAX_HOOK_DEPTH = 4;

/** A handler that calls `adj` may meet its own rule again, for ever. */
export function hookDepth(source: Variables): number {
  const depth = Number(source[DEPTH] ?? 0);
  return Number.isInteger(depth) && depth >= 0 ? depth : MAX_HOOK_DEPTH;
}

// The variables a hook call carries. The client sends exactly these, and a cold call keeps exactly these, so
// that a handler sees the same environment either way.

export const HOOK_FAMILIES: readonly string[] = [
  ...new Set(["ADJ_", ...BASE_FAMILIES.filter((family) => !family.startsWith("ADJ_"))]),
];

const isInFamily = (name: string): boolean =>
  HOOK_FAMILIES.some((family) => name.startsWith(family));

/** Those that belong to no family. */
export const HOOK_NAMES: readonly string[] = [...BASE_NAMES, ...HOOK_VARIABLES].filter(
  (name) => !isInFamily(name),
);
const KNOWN: ReadonlySet<string> = new Set(HOOK_NAMES);

/** What of the caller's environment counts in a hook call. */
export function selectHookVariables(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const selected: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (KNOWN.has(name) || isInFamily(name))) selected[name] = value;
  return selected;
}
