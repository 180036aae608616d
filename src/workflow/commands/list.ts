// `adj workflow list`: the workflows there are, and their runs, newest first.
import { formatDuration } from "../../agents/log/figures.ts";
import { formatFault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { formatLocalMinute, screenWidth } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { type FoundWorkflow, nameOf } from "../definition/find-workflow.ts";
import type { Journal, RunRecord } from "../journal/journal.ts";
import { describeCostOf, describeStatus } from "../report/run-summary.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { takeWords, withJournal } from "./context.ts";
import { listDefinitions } from "./definitions.ts";

const DEFINITION_COLUMNS = [
  { title: "WORKFLOW" },
  { title: "FORM" },
  { title: "DESCRIPTION", least: 20 },
  { title: "LAYER" },
  { title: "FILE", least: 20, cut: "start" },
] as const;

const RUN_COLUMNS = [
  { title: "RUN" },
  { title: "WORKFLOW", least: 8 },
  { title: "STARTED", least: 11 },
  { title: "TOOK" },
  { title: "CALLS" },
  { title: "COST" },
  { title: "STATUS", least: 7 },
] as const;

const MAX_RUNS = 20;

export async function showList(
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  takeWords(args, []);
  const { found, notes } = await listDefinitions(caller);
  const width = screenWidth(caller.context);
  return withJournal(caller, (journal) => {
    const runs = journal.listRuns({ root: caller.program.root, last: MAX_RUNS });
    const blocks = [
      found.length === 0
        ? ["no workflow here; make one with `adj new NAME --workflow`"]
        : formatTable(DEFINITION_COLUMNS, found.map(definitionRow), width),
      notes,
      runs.length === 0
        ? ["no runs yet; `adj workflow run NAME` makes one"]
        : formatTable(
            RUN_COLUMNS,
            runs.map((run) => runRow(run, journal)),
            width,
          ),
    ];
    const text = blocks
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join("\n"))
      .join("\n\n");
    return ok(text, {
      workflows: found.map((one) => ({
        name: nameOf(one),
        form: one.kind === "workflow" ? one.workflow.form : null,
        description: one.kind === "workflow" ? one.workflow.description : null,
        problem: one.kind === "broken" ? one.problem.message : null,
        file: one.file,
        layer: one.layer,
        isTrusted: one.isTrusted,
      })),
      notes,
      runs: runs.map(({ source: _, ...run }) => ({ ...run, totals: journal.totals(run.id) })),
    });
  });
}

function definitionRow(found: FoundWorkflow): string[] {
  const { file, layer } = found;
  if (found.kind === "broken")
    return [found.name, "broken", formatFault(found.problem), layer, file];
  const { name, form, description } = found.workflow;
  return [name, form, description, layer, file];
}

function runRow(run: RunRecord, journal: Journal): string[] {
  const { calls, done, failed, costUsd, statedUsd } = journal.totals(run.id);
  const until = run.endedAt === null ? Date.now() : Date.parse(run.endedAt);
  const cost = { usd: statedUsd === 0 ? costUsd : statedUsd, unstated: costUsd === null ? 1 : 0 };
  return [
    run.id,
    run.workflow,
    formatLocalMinute(run.createdAt),
    formatDuration(until - Date.parse(run.createdAt)),
    failed === 0 ? `${done}/${calls}` : `${done}/${calls}, ${failed} failed`,
    describeCostOf({ ...cost, tokens: null }).join(""),
    describeStatus(run),
  ];
}
