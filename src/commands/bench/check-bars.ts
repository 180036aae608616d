import { type Bar, METRIC_NAMES, parseBar } from "../../bench/summary/bars.ts";
import { fault } from "../../command/fault.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import type { BenchArguments } from "./bench-arguments.ts";

/** The bars of the command line; one that says nothing is found before anything is spent. */
export const readBars = ({ failIf }: Pick<BenchArguments, "failIf">): Bar[] =>
  failIf.map((text) => {
    const bar = parseBar(text);
    if (!("problem" in bar)) return bar;
    const [nearest] = bar.metric === null ? [] : nearestNames(bar.metric, METRIC_NAMES);
    throw fault(
      "ArgumentsInvalid",
      {
        command: "bench",
        problem: `\`--fail-if ${text}\`, column ${bar.column}: ${bar.problem}`,
      },
      { hint: nearest === undefined ? GRAMMAR : `did you mean \`${nearest}\`?` },
    );
  });

const GRAMMAR = `write \`METRIC < NUMBER\` or \`AGENT.METRIC < NUMBER\`, with one of ${METRIC_NAMES.join(", ")}`;

/** A bar for an agent that is not there would never be missed. */
export function checkBarAgents(bars: readonly Bar[], agents: readonly string[]): void {
  const unknown = bars.find(({ agentId }) => agentId !== null && !agents.includes(agentId));
  if (unknown?.agentId == null) return;
  const [nearest] = nearestNames(unknown.agentId, agents);
  throw fault(
    "ArgumentsInvalid",
    {
      command: "bench",
      problem: `\`--fail-if ${unknown.text}\` names no agent of the suite`,
    },
    {
      hint:
        nearest === undefined ? `they are ${agents.join(", ")}` : `did you mean \`${nearest}\`?`,
    },
  );
}
