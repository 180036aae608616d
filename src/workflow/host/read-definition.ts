// The workflow of a run as the host reads it: only what a person trusted or once said yes to is started.
import { homedir } from "node:os";
import { fault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { requireSettingsAt } from "../../session/approvals/rules.ts";
import {
  findWorkflow,
  readWorkflow,
  type UsableWorkflow,
  type WorkflowFolders,
} from "../definition/find-workflow.ts";
import type { Workflow } from "../definition/workflow.ts";
import type { RunRecord } from "../journal/journal.ts";
import type { RunFolders } from "./choose-agent.ts";

/** What a person's word for a workflow of this content is kept as. */
export const consentKey = (hash: string): string => `workflow:${hash}`;

/** By name or file; a fault where there is none, it cannot be read, or nobody said that it may run. */
export async function readAllowed(
  program: Program,
  word: string,
  folders: Omit<RunFolders, "sessionId">,
): Promise<Workflow> {
  const found = await findWorkflow(word, await placesOf(program, folders));
  requireConsent(program, found);
  return found.workflow;
}

function requireConsent(program: Program, { workflow, isTrusted }: UsableWorkflow): void {
  if (isTrusted || program.sessions().isApproved(null, consentKey(workflow.hash))) return;
  const hint = `start it once yourself: \`adj workflow run ${workflow.file}\``;
  throw fault("Required", { name: `workflow ${workflow.name}` }, { hint });
}

/** As it was when the run began or was resumed last: this depends on nothing else. */
export const readRecorded = ({ source, file }: Pick<RunRecord, "source" | "file">): Workflow =>
  readWorkflow(source, file).workflow;

async function placesOf(
  program: Program,
  { root, cwd, env }: Omit<RunFolders, "sessionId">,
): Promise<WorkflowFolders> {
  const { plugins } = await requireSettingsAt(program, { cwd, root });
  return {
    ...{ root, cwd, env },
    configDir: program.configDir,
    stateDir: program.stateDir,
    home: env.HOME ?? homedir(),
    plugins: Array.isArray(plugins) ? plugins.map(String) : [],
  };
}
