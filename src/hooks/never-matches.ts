// Which rules can never match: a field that a step does not have never matches there. Pure.
import { nearestNames } from "../command/nearest-names.ts";
import { neverMatches as neverMatchesAt } from "./match/can-match.ts";
import type { HookRule, RuleMatch } from "./rule.ts";
import type { StepName } from "./step.ts";

/** The agents whose steps arrive here; `adjutant` is the program's own. */
const AGENTS = ["claude-code", "codex", "gemini", "qwen", "copilot", "opencode", "adjutant"];

const OF_COMMANDS: ReadonlySet<StepName> = new Set(["before_command", "after_command"]);

/** Why it matches at none of its steps, or null for a rule that may match. */
export function neverMatches({ on, match }: Pick<HookRule, "on" | "match">): string | null {
  const agent = match.agent?.every((name) => !AGENTS.includes(name)) ? match.agent[0] : undefined;
  if (agent !== undefined) return unknownAgent(agent);
  const reasons = on.map((step) => reasonAt(step, match));
  return reasons.every((reason) => reason !== null) ? (reasons[0] ?? null) : null;
}

function reasonAt(step: StepName, match: RuleMatch): string | null {
  if (!OF_COMMANDS.has(step)) return neverMatchesAt(step, match);
  if (match.agent !== undefined && !match.agent.includes("adjutant"))
    return `\`${step}\` is a step of the agent \`adjutant\` alone`;
  // There it is tried on the line by which the command was called.
  const { command: _, ...rest } = match;
  return neverMatchesAt(step, rest);
}

function unknownAgent(name: string): string {
  const nearest = nearestNames(name, AGENTS).map((one) => `\`${one}\``);
  const question = nearest.length === 0 ? "" : `; did you mean ${nearest.join(" or ")}?`;
  return `no agent is called \`${name}\`${question}`;
}
