// `adj workflow run NAME|FILE`: read, ask where a person must be asked, hand over to the host, watch, report.
import type { JsonValue } from "../../core/command/context.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import { completeInputs } from "../definition/inputs.ts";
import type { Workflow } from "../definition/workflow.ts";
import { newRunId } from "../host/requests.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { refuseUse, takeWords } from "./context.ts";
import { findDefinition, requireConsent } from "./definitions.ts";
import { watchToEnd } from "./follow.ts";
import { startInHost, withHost } from "./host-calls.ts";
import { parseBudget, readInputs, readScriptArgs } from "./limits.ts";

export async function runWorkflow(
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  const [word = ""] = takeWords(args, ["a workflow, by name or file"]);
  const limits = parseBudget(args.budget);
  const found = await findDefinition(word, caller);
  const { workflow, warnings } = found;
  const given = await readGivenInputs(workflow, args, caller);
  await requireConsent(found, args, caller);
  for (const warning of warnings)
    await caller.context.write(`adj: ${plainLine(warning)}\n`, "stderr");
  return withHost(caller, async (host) => {
    if (args.detach && host.isInside)
      throw refuseUse(
        "`--detach` needs a host that stays, and none runs here",
        "start one with `adj serve`",
      );
    const runId = newRunId();
    const start = () => startInHost(host, { runId, workflow, given, limits, args }, caller);
    if (!args.detach) return watchToEnd({ host, runId, args, start }, caller);
    await start();
    return describeStarted(runId);
  });
}

/** What the workflow is given: the inputs that stages declare, whatever a script takes. */
export async function readGivenInputs(
  workflow: Workflow,
  args: Pick<WorkflowArguments, "input" | "args">,
  { context }: BundledContext,
): Promise<JsonValue | undefined> {
  if (workflow.form === "script") return readScriptArgs(args, context);
  if (args.args === undefined) return completeInputs(workflow, readInputs(args.input));
  const given = await readScriptArgs(args, context);
  if (!isJsonObject(given))
    throw refuseUse(
      "stages take their inputs by name",
      "give `--args` an object, or `--input name=value`",
    );
  return completeInputs(workflow, given);
}

export const describeStarted = (runId: string): CommandResult =>
  ok(
    `started ${runId}; follow it with \`adj workflow resume ${runId}\`, end it with \`adj workflow stop ${runId}\``,
    { run: runId },
  );
