// Rules that can never match are told when they are loaded: a field that a step does not have never matches there. Pure.
import { namesWith, nearestAgents } from "../../agents/roster.ts";
import type { ToolKind } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { HookRule, RuleMatch } from "./rule.ts";

/** The agents whose steps arrive here; `adjutant` is the program's own. */
const AGENTS = [...namesWith("hooks"), "adjutant"];

const OF_COMMANDS: ReadonlySet<StepName> = new Set(["before_command", "after_command"]);

/** Why it matches at none of its steps, or null for a rule that may match. */
export function findNeverMatching({ on, match }: Pick<HookRule, "on" | "match">): string | null {
  const agent = match.agent?.every((name) => !AGENTS.includes(name)) ? match.agent[0] : undefined;
  if (agent !== undefined) return unknownAgent(agent);
  const reasons = on.map((step) => reasonAt(step, match));
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}

function reasonAt(step: StepName, match: RuleMatch): string | null {
  if (!OF_COMMANDS.has(step)) return findClash(step, match);
  if (match.agent !== undefined && !match.agent.includes("adjutant"))
    return `\`${step}\` is a step of the agent \`adjutant\` alone`;
  // There it is tried on the line by which the command was called.
  const { command: _, ...rest } = match;
  return findClash(step, rest);
}

function unknownAgent(name: string): string {
  const nearest = nearestAgents(name, AGENTS).map((one) => `\`${one}\``);
  const question = nearest.length === 0 ? "" : `; did you mean ${nearest.join(" or ")}?`;
  return `no agent is called \`${name}\`${question}`;
}

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
export function findClash(step: StepName, match: RuleMatch): string | null {
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
