// `adj workflow attach NAME` and `detach`: stages that own the turns of this session, in the host. For a person alone.
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { newRunId } from "../host/requests.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { refuseUse, takeWords } from "./context.ts";
import { findDefinition, requireConsent } from "./definitions.ts";
import { attachInHost, detachInHost, withHost } from "./host-calls.ts";
import { parseBudget } from "./limits.ts";
import { readGivenInputs } from "./run.ts";

export async function attachWorkflow(
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  const [word = ""] = takeWords(args, ["a workflow, by name or file"]);
  const limits = parseBudget(args.budget);
  const found = await findDefinition(word, caller);
  const { workflow } = found;
  if (workflow.form === "script")
    throw refuseUse(
      "only stages can be attached to a session",
      `run it: \`adj workflow run ${word}\``,
    );
  const given = await readGivenInputs(workflow, args, caller);
  await requireConsent(found, args, caller);
  const run = { runId: newRunId(), workflow, given, limits };
  return withHost(caller, async (host) => {
    const { runId, stage } = await attachInHost(host, { ...run, args }, caller);
    const text = `attached ${workflow.name} (${runId}) in stage ${stage}; your next prompt, which may be empty, starts it`;
    return ok(text, { run: runId, workflow: workflow.name, stage });
  });
}

export async function detachWorkflow(
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  takeWords(args, []);
  const { context, program } = caller;
  const row = program.sessions().stages.read(context.session.id);
  if (row === null)
    throw refuseUse(
      "no workflow is attached to this session",
      "`adj workflow attach NAME` does it",
    );
  return withHost(caller, async (host) => {
    await detachInHost(host, caller);
    return ok(`detached ${row.workflow} in stage ${row.stage}`, {
      run: row.runId,
      stage: row.stage,
    });
  });
}
