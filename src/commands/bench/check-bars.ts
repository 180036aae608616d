import { type Bar, METRIC_NAMES, parseBar } from "../../bench/summary/bars.ts";
import { fault } from "../../command/fault.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import type { BenchArguments } from "./bench-arguments.ts";

/** The bars of the command line; one that says nothing is found before anything is spent. */
export function readBars({ failIf }: Pick<BenchArguments, "failIf">): Bar[] {
  return failIf.map((text) => {
    const bar = parseBar(text);
    if (bar !== null) return bar;
    throw fault(
      "ArgumentsInvalid",
      { command: "bench", problem: `\`--fail-if ${text}\` is not a bar` },
      { hint: `write \`METRIC < NUMBER\`, with one of ${METRIC_NAMES.join(", ")}` },
    );
  });
}

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
