// How far a run is: a line that changes where a person watches, plain lines elsewhere.

import type { TrialResult } from "../../bench/trial.ts";
import type { CommandContext } from "../../command/context.ts";
import { plainLine } from "../../command/text-columns.ts";

export interface ProgressPlan {
  readonly agents: readonly string[];
  readonly perAgent: number;
  /** Results that are there already. */
  readonly known: readonly TrialResult[];
}

export interface Progress {
  report(result: TrialResult): void;
}

export function createProgress(
  context: Pick<CommandContext, "isInteractive" | "progress" | "write">,
  plan: ProgressPlan,
): Progress {
  const results = [...plan.known];
  const startedAt = Date.now();
  const before = results.length;
  return {
    report: (result) => {
      results.push(result);
      const left = describeLeft(results.length - before, {
        missing: plan.agents.length * plan.perAgent - results.length,
        elapsedMs: Date.now() - startedAt,
      });
      if (context.isInteractive)
        context.progress(
          [...plan.agents.map((id) => describeAgent(id, results, plan)), left].join(" · "),
        );
      else void context.write(`${describeResult(result)}\n`, "stderr");
    },
  };
}

function describeAgent(
  id: string,
  results: readonly TrialResult[],
  { perAgent }: ProgressPlan,
): string {
  const own = results.filter(({ agentId }) => agentId === id);
  const passed = own.filter(({ ending }) => ending === "passed").length;
  const cost = own.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const rate = own.length === 0 ? "" : ` ${Math.round((passed / own.length) * 100)} %`;
  return `${id} ${own.length}/${perAgent}${rate}${cost > 0 ? ` $${cost.toFixed(2)}` : ""}`;
}

function describeLeft(
  done: number,
  { missing, elapsedMs }: { missing: number; elapsedMs: number },
): string {
  const seconds = Math.round(((elapsedMs / Math.max(1, done)) * missing) / 1_000);
  return seconds < 90 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`;
}

const describeResult = ({ key, ending, reason, durationMs }: TrialResult): string =>
  plainLine(
    `${key} ${ending} in ${(durationMs / 1_000).toFixed(1)} s${reason === null ? "" : `: ${reason}`}`,
  );
