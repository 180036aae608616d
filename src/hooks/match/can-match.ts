// Rules that can never match are told when they are loaded.
import type { ToolKind } from "../../agents/tool-kind.ts";
import type { RuleMatch } from "../rule.ts";
import type { StepName } from "../step.ts";

const TOOL_STEPS: ReadonlySet<StepName> = new Set([
  "before_tool",
  "after_tool",
  "before_permission",
]);
const TOOL_FIELDS = ["tool", "tool_glob", "kind", "safety", "command", "path"] as const;
const FILE_KINDS: ReadonlySet<ToolKind> = new Set([
  "read",
  "write",
  "edit",
  "search",
  "mcp",
  "other",
]);

/** Why the rule can never match at the step, null where it can. */
export function neverMatches(step: StepName, match: RuleMatch): string | null {
  const empty = Object.entries(match).find(([, wanted]) => wanted?.length === 0);
  if (empty !== undefined) return `\`${empty[0]}\` lists nothing`;
  const field = TOOL_FIELDS.find((each) => match[each] !== undefined);
  if (field !== undefined && !TOOL_STEPS.has(step)) return `\`${step}\` has no \`${field}\``;
  return clash(match);
}

/** Fields that exclude each other. */
function clash({ kind, command, path, safety }: RuleMatch): string | null {
  if (kind === undefined) return command !== undefined && path !== undefined ? SHELL_PATH : null;
  const isShell = kind.includes("shell");
  const kinds = kind.map((each) => `\`${each}\``).join(" or ");
  if (command !== undefined && !isShell) return `\`command\` needs \`kind: shell\`, not ${kinds}`;
  if (command !== undefined && path !== undefined) return SHELL_PATH;
  if (path !== undefined && !kind.some((each) => FILE_KINDS.has(each)))
    return `a tool of kind ${kinds} names no \`path\`; in shell lines use \`command\` or the builtin \`protect-paths\``;
  const reads = kind.every((each) => each === "read" || each === "search");
  if (safety !== undefined && reads && !safety.includes("read_only"))
    return `kind ${kinds} is always \`read_only\``;
  return null;
}

const SHELL_PATH =
  "`command` and `path` exclude each other: a shell tool names no path; use the builtin `protect-paths`";
