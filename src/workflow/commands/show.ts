// `adj workflow show NAME|RUN [CALL]`: a definition drawn, a run as it stands, or one call whole. Without a word what is
// attached to this session, else the newest run.
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { plainLine, wrapLines } from "../../core/terminal/text-columns.ts";
import type { ScriptWorkflow, Workflow } from "../definition/workflow.ts";
import { readCensus } from "../engine/census.ts";
import type { Journal } from "../journal/journal.ts";
import { drawRun } from "../report/live-view.ts";
import { textOfCall } from "../report/text-report.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { describeOutcome } from "./conclude.ts";
import { findCall, findWorkflowRun, isRunWord, refuseUse, withJournal } from "./context.ts";
import { findDefinition } from "./definitions.ts";
import { readRunView } from "./follow.ts";

export async function showWorkflow(
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  const [word = attachedRun(caller) ?? "last", call, extra] = args.words;
  if (extra !== undefined) throw refuseUse(`\`${extra}\` is one word too many`, "leave it out");
  return withJournal(caller, (journal) => {
    if (call !== undefined) return showCall(journal, [word, call], caller);
    return isRunWord(journal, word)
      ? showRun(journal, word, caller)
      : showDefinition(word, args, caller);
  });
}

/** What the stage of this session belongs to. */
const attachedRun = ({ program, context }: BundledContext): string | null =>
  program.sessions().stages.read(context.session.id)?.runId ?? null;

async function showDefinition(
  word: string,
  { mermaid }: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  const { workflow } = await findDefinition(word, caller);
  const facts = describeFacts(workflow);
  if (workflow.form === "script") {
    if (mermaid)
      throw refuseUse(
        "a script has no drawing: what it does it decides as it runs",
        "leave `--mermaid` out",
      );
    return ok(describeScript(workflow, screenWidth(caller.context)), facts);
  }
  if (mermaid) return ok((await import("../report/draw-stages.ts")).drawMermaid(workflow), facts);
  const { drawStages } = await import("../report/draw-stages.ts");
  const head = plainLine(`${workflow.name}: ${workflow.description}`);
  const columns = screenWidth(caller.context);
  const drawn = drawStages(workflow, columns ?? undefined);
  return ok(`${head}\n\n${drawn}`, facts);
}

const describeFacts = ({ source: _, ...workflow }: Workflow) => ({ workflow });

function describeScript(workflow: ScriptWorkflow, width: number | null): string {
  const { name, description, whenToUse, phases, file } = workflow;
  const lines = [
    `${name}: ${description}`,
    ...(whenToUse === null ? [] : [`when: ${whenToUse}`]),
    ...phases.map(({ title, detail }) => `- ${title}${detail === null ? "" : `: ${detail}`}`),
    file,
  ];
  return wrapLines(lines, width).join("\n");
}

function showRun(journal: Journal, word: string, caller: BundledContext): CommandResult {
  const { program } = caller;
  const { id } = findWorkflowRun(journal, word, program.root);
  const view = readRunView({ journal, runId: id, program });
  const lines = drawRun(view, Number.POSITIVE_INFINITY);
  const census = readCensus(journal, id);
  const { entries, run } = view;
  return ok(lines.join("\n"), { ...describeOutcome({ run, entries, census }), calls: entries });
}

function showCall(
  journal: Journal,
  [word, number]: readonly [string, string],
  { program }: BundledContext,
): CommandResult {
  const run = findWorkflowRun(journal, word, program.root);
  const entry = findCall(journal, run, number);
  return ok(textOfCall(entry, Date.now()), { call: entry });
}
