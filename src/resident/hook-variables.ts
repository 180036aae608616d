// The variables a hook call carries. The client sends exactly these, and a cold call keeps exactly these, so
// that a handler sees the same environment either way.
import { BASE_FAMILIES, BASE_NAMES } from "../process/child-environment.ts";

/** What the agents tell their hooks: project, session, files to write to. */
const AGENT_NAMES = [
  ...["CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "CLAUDE_EFFORT", "CLAUDE_PID"],
  ...["CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"],
  ...["CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "AI_AGENT"],
  ...["GEMINI_PROJECT_DIR", "GEMINI_CWD", "GEMINI_SESSION_ID", "GEMINI_PLANS_DIR"],
  ...["QWEN_PROJECT_DIR", "COPILOT_CLI", "COPILOT_PLUGIN_ROOT", "PLUGIN_ROOT"],
];

export const HOOK_FAMILIES: readonly string[] = [
  ...new Set(["ADJ_", ...BASE_FAMILIES.filter((family) => !family.startsWith("ADJ_"))]),
];

const isInFamily = (name: string): boolean =>
  HOOK_FAMILIES.some((family) => name.startsWith(family));

/** Those that belong to no family. */
export const HOOK_NAMES: readonly string[] = [...BASE_NAMES, ...AGENT_NAMES].filter(
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
