// How far a run is: lines that change where a person watches, a plain line per result elsewhere.
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { monotonicMs } from "../../core/command/time.ts";
import { padEnd, plainLine } from "../../core/terminal/text-columns.ts";
import { formatDollars, formatPercent } from "../report/figures.ts";
import { isCounted } from "../report/summary.ts";
import type { TrialResult } from "../suite/trial.ts";

export interface ProgressPlan {
  readonly agents: readonly string[];
  readonly perAgent: number;
  /** Results that are there already. */
  readonly known: readonly TrialResult[];
}

export interface Progress {
  report(result: TrialResult): void;
  /** All there is by now, whoever brought it: what is new is reported. */
  update(results: readonly TrialResult[]): void;
}

export function createProgress(
  context: Pick<CommandContext, "isInteractive" | "progress" | "write">,
  { agents, perAgent, known }: ProgressPlan,
): Progress {
  const counts: RunCounts = {
    byAgent: new Map(agents.map((id) => [id, NOTHING_DONE])),
    perAgent,
    before: known.length,
    done: 0,
    startedAt: Date.now(),
  };
  for (const result of known) addResult(counts, result);
  const seen = new Set(known.map(({ key }) => key));
  const show = () => context.progress(describeCounts(counts, Date.now()));
  if (context.isInteractive) show();
  const report = (result: TrialResult): void => {
    // A worker's own result comes twice: from itself, and from the store.
    if (seen.has(result.key)) return;
    seen.add(result.key);
    counts.done += 1;
    addResult(counts, result);
    if (context.isInteractive) show();
    else void context.write(`${describeResult(result, counts)}\n`, "stderr");
  };
  return { report, update: (results) => results.forEach(report) };
}

const LOOK_EVERY_MS = 2_000;
/** However many results there are: looking takes at most so much of the time. */
const LOOKING_SHARE = 0.05;

/** Looks at a store that many workers share until it is stopped; one that is away just now is looked at again. */
export function followStore(
  read: () => Promise<readonly TrialResult[]>,
  update: Progress["update"],
): () => Promise<void> {
  const stop = new AbortController();
  const follow = async (): Promise<void> => {
    let waitMs = LOOK_EVERY_MS;
    while (!stop.signal.aborted) {
      await waitUnlessAborted(waitMs, stop.signal);
      const began = monotonicMs();
      await read().then(update, () => undefined);
      waitMs = Math.max(LOOK_EVERY_MS, (monotonicMs() - began) / LOOKING_SHARE);
    }
  };
  const following = follow();
  return () => {
    stop.abort();
    return following;
  };
}

interface AgentCounts {
  readonly done: number;
  readonly counted: number;
  readonly passed: number;
  readonly usd: number | null;
}

const NOTHING_DONE: AgentCounts = { done: 0, counted: 0, passed: 0, usd: null };

interface RunCounts {
  readonly byAgent: Map<string, AgentCounts>;
  readonly perAgent: number;
  readonly before: number;
  readonly startedAt: number;
  /** Since `startedAt`. */
  done: number;
}

function addResult({ byAgent }: RunCounts, result: TrialResult): void {
  const { done, counted, passed, usd } = byAgent.get(result.agentId) ?? NOTHING_DONE;
  byAgent.set(result.agentId, {
    done: done + 1,
    counted: counted + (isCounted(result) ? 1 : 0),
    passed: passed + (result.ending === "passed" ? 1 : 0),
    usd: result.costUsd === null ? usd : (usd ?? 0) + result.costUsd,
  });
}

/** A line for each agent, and one for what is left. */
function describeCounts(counts: RunCounts, now: number): string {
  const { byAgent, perAgent } = counts;
  const widest = Math.max(...[...byAgent.keys()].map(({ length }) => length));
  const lines = [...byAgent].map(([id, { done, ...figures }]) => {
    const count = `${done}/${perAgent}`.padStart(2 * String(perAgent).length + 1);
    return [padEnd(plainLine(id), widest), count, ...describeFigures(figures)].join("  ");
  });
  return [...lines, describeLeft(counts, now)].join("\n");
}

function describeFigures({ counted, passed, usd }: Omit<AgentCounts, "done">): string[] {
  const rate = counted === 0 ? [] : [formatPercent(passed / counted).padStart(5)];
  return usd === null ? rate : [...rate, formatDollars(usd)];
}

function describeLeft({ byAgent, perAgent, before, done, startedAt }: RunCounts, now: number) {
  const missing = byAgent.size * perAgent - before - done;
  if (missing <= 0) return "all done";
  const togo = `${missing} ${missing === 1 ? "trial" : "trials"} to go`;
  if (done === 0) return togo;
  const seconds = Math.round((((now - startedAt) / done) * missing) / 1_000);
  const time = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${togo}, about ${time}`;
}

function describeResult(result: TrialResult, counts: RunCounts): string {
  const { key, ending, reason, durationMs, agentId } = result;
  const { byAgent, perAgent, before, done } = counts;
  const why = reason === null ? "" : `: ${reason}`;
  const figures = describeFigures(byAgent.get(agentId) ?? NOTHING_DONE).map((text) => text.trim());
  const own = figures.length === 0 ? [] : [`${agentId} ${figures.join(", ")}`];
  const facts = [...own, describeLeft(counts, Date.now())].join(", ");
  const count = `${before + done}/${byAgent.size * perAgent}`;
  const took = `${(durationMs / 1_000).toFixed(1)} s`;
  return plainLine(`${count} ${key} ${ending} in ${took} (${facts})${why}`);
}
