// What `adj doctor` prints of all that it found.
import type { FoundAgent } from "../../agents/commands/install-target.ts";
import type { CommandResult } from "../../core/command/result.ts";
import { type Finding, formatFinding } from "../../core/commands/finding.ts";

export interface AgentReport extends FoundAgent {
  readonly installed: readonly string[];
  /** The median of a few calls of the installed entry; null where there is none that answers. */
  readonly p50Ms: number | null;
  readonly findings: readonly Finding[];
}

/** What matters here comes first: what is to be done, then this project, then the agents that are here. */
export function report(agents: readonly AgentReport[], state: readonly Finding[]): CommandResult {
  const all = [
    ...agents.flatMap(({ agent, findings }) =>
      findings.map((one) => ({ ...one, text: `${agent}: ${one.text}` })),
    ),
    ...state,
  ];
  const pressing = (["attention", "warning"] as const).flatMap((level) =>
    all.filter((one) => one.level === level),
  );
  const troubles = pressing.filter(({ level }) => level === "attention").length;
  const [here, away] = [agents.filter(isWorthSection), agents.filter(isOnlyAway)];
  const sections = [
    [summarize(troubles, pressing.length - troubles), ...pressing.map(formatFinding)],
    ["adjutant", ...calmOf(state).map(formatFinding)],
    ...here.map((agent) => [titleOf(agent), ...calmOf(agent.findings).map(formatFinding)]),
    ...describeAway(away),
  ];
  return {
    success: troubles === 0,
    output: sections.map((lines) => lines.join("\n")).join("\n"),
    errorOutput: null,
    exitCode: troubles === 0 ? 0 : 1,
    metadata: { agents, state, needsAttention: troubles },
  };
}

/** An agent that is not here, and of which there is nothing but that to say, is a word in a line. */
const isOnlyAway = ({ isFound, installed, findings }: AgentReport): boolean =>
  !isFound && installed.length === 0 && findings.length <= 1;

const isWorthSection = (agent: AgentReport): boolean => !isOnlyAway(agent);

const calmOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ level }) => level === "ok" || level === "note");

function describeAway(agents: readonly AgentReport[]): string[][] {
  // One that was asked for by name is told how to get it.
  const [only] = agents;
  if (only !== undefined && agents.length === 1)
    return [[titleOf(only), ...only.findings.map(formatFinding)]];
  const names = agents.map(({ agent }) => agent).join(", ");
  return names === "" ? [] : [[`not here: ${names}; \`adj agent list\` says how to get them`]];
}

const titleOf = ({ agent, isFound, version }: AgentReport): string =>
  `${agent} ${isFound ? (version ?? "") : "(not here)"}`.trimEnd();

function summarize(troubles: number, warnings: number): string {
  if (troubles === 0 && warnings > 0)
    return `nothing needs attention, but there ${warnings === 1 ? "is 1 warning" : `are ${warnings} warnings`}`;
  if (troubles === 0) return "all is well";
  return troubles === 1 ? "1 thing needs attention" : `${troubles} things need attention`;
}
