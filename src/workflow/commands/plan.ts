// `adj workflow plan NAME`: what it would start, and what that may cost by what it did before. Nothing is started.

import { countOf, formatCost, formatDuration } from "../../agents/log/figures.ts";
import { requireAdapter } from "../../agents/roster.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { formatTable, plainLine } from "../../core/terminal/text-columns.ts";
import type { Stage, StageAct, Workflow } from "../definition/workflow.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";
import { sumCost } from "../report/run-summary.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { takeWords, withJournal } from "./context.ts";
import { findDefinition } from "./definitions.ts";

/** Of so many of the newest runs that ended. */
const MAX_RUNS = 20;

const STEP_COLUMNS = [
  { title: "STEP", least: 10 },
  { title: "ACT" },
  { title: "AGENT" },
  { title: "WHAT", least: 24 },
] as const;

export async function planWorkflow(
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  const [word = ""] = takeWords(args, ["a workflow, by name or file"]);
  const { workflow } = await findDefinition(word, caller);
  const given = args.agent === undefined ? null : (await requireAdapter(args.agent)).name;
  const agent = given ?? (workflow.form === "stages" ? workflow.agent : null);
  return withJournal(caller, (journal) => {
    const past = listPast(journal, workflow.name);
    const estimate = estimateRun(past);
    const steps = listSteps(workflow, agent ?? "the session's");
    const lines = [
      plainLine(`${workflow.name} (${workflow.form}): ${workflow.description}`),
      ...formatTable(STEP_COLUMNS, steps, screenWidth(caller.context)),
      describeEstimate(estimate),
    ];
    return ok(lines.join("\n"), {
      workflow: workflow.name,
      form: workflow.form,
      steps: steps.map(([step, act, doer, what]) => ({ step, act, agent: doer, what })),
      estimate,
    });
  });
}

function listSteps(workflow: Workflow, agent: string): string[][] {
  if (workflow.form === "script") {
    const phases = workflow.phases.map(({ title, detail }) => [title, "", "", detail ?? ""]);
    return phases.length > 0
      ? phases
      : [["(script)", "", agent, "its calls are known when it runs"]];
  }
  return Object.values(workflow.stages).map((stage) => [
    stage.name,
    stage.act.kind,
    doesTurns(stage.act) ? (stage.agent ?? agent) : "",
    describeAct(stage),
  ]);
}

const doesTurns = (act: StageAct): boolean =>
  act.kind === "prompt" || (act.kind === "each" && act.do.kind === "prompt");

function describeAct({ act, attempts, visits }: Stage): string {
  const again = attempts > 1 ? ` (up to ${attempts} times a visit)` : "";
  const often = visits === 10 ? "" : `, at most ${countOf(visits, "visit")}`;
  return `${textOf(act)}${again}${often}`;
}

function textOf(act: StageAct): string {
  switch (act.kind) {
    case "prompt":
      return act.prompt;
    case "command":
      return act.line;
    case "ask":
      return act.question;
    case "workflow":
      return act.name;
    case "each":
      return `each ${act.as}: ${textOf(act.do)}`;
  }
}

interface PastRun {
  readonly calls: number;
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly ms: number;
}

function listPast(journal: Journal, workflow: string): PastRun[] {
  const ended = journal
    .listRuns({})
    .filter((run) => run.workflow === workflow && run.status === "done")
    .slice(0, MAX_RUNS);
  return ended.map(({ id, activeMs }) => {
    const entries = journal.listEntries(id);
    const { usd, tokens } = sumCost(entries);
    return { calls: entries.filter(isAgentCall).length, usd, tokens, ms: activeMs };
  });
}

const isAgentCall = ({ kind }: JournalEntry): boolean => kind === "agent";

interface Range {
  readonly low: number;
  readonly high: number;
}

interface Estimate {
  readonly runs: number;
  readonly calls: Range | null;
  readonly usd: Range | null;
  readonly tokens: Range | null;
  readonly ms: Range | null;
}

/** The middle half of what its runs took; null where none says. */
const estimateRun = (past: readonly PastRun[]): Estimate => ({
  runs: past.length,
  calls: middleHalf(past.map(({ calls }) => calls)),
  usd: middleHalf(past.flatMap(({ usd }) => usd ?? [])),
  tokens: middleHalf(past.flatMap(({ tokens }) => tokens ?? [])),
  ms: middleHalf(past.map(({ ms }) => ms)),
});

function middleHalf(values: readonly number[]): Range | null {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? 0;
  return sorted.length === 0 ? null : { low: at(0.25), high: at(0.75) };
}

function describeEstimate({ runs, calls, usd, tokens, ms }: Estimate): string {
  if (runs === 0) return "cost: not known, it has not run to its end before";
  const range = (given: Range | null, say: (value: number) => string): string[] => {
    if (given === null) return [];
    const { low, high } = given;
    return [say(low) === say(high) ? say(low) : `${say(low)} to ${say(high)}`];
  };
  const facts = [
    ...range(calls, (value) => countOf(value, "call")),
    ...range(tokens, (value) => countOf(value, "token")),
    ...range(usd, formatCost),
    ...range(ms, formatDuration),
  ];
  const silent = usd === null ? "; its agents state no cost" : "";
  return `by ${countOf(runs, "run")} before: ${facts.join(", ")}${silent}`;
}
