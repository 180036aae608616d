// The workflows that an action may name: where they are looked for from this command.
import { homedir } from "node:os";
import { fault } from "../../core/command/fault.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import {
  findWorkflow,
  listWorkflows,
  type UsableWorkflow,
  type WorkflowFolders,
  type WorkflowList,
} from "../definition/find-workflow.ts";
import { consentKey } from "../host/read-definition.ts";
import type { WorkflowArguments } from "./arguments.ts";

async function placesOf({ context, program }: BundledContext): Promise<WorkflowFolders> {
  const env = context.env.forChild();
  const { plugins } = await program.settings();
  return {
    root: program.root,
    cwd: context.workingDirectory,
    configDir: program.configDir,
    stateDir: program.stateDir,
    home: env.HOME ?? homedir(),
    env,
    plugins: Array.isArray(plugins) ? plugins.map(String) : [],
  };
}

/** By name or by the path of a file; a fault with the nearest name where there is none. */
export const findDefinition = async (
  word: string,
  caller: BundledContext,
): Promise<UsableWorkflow> => findWorkflow(word, await placesOf(caller));

export const listDefinitions = async (caller: BundledContext): Promise<WorkflowList> =>
  listWorkflows(await placesOf(caller));

// Whether a workflow may be started: a project's is trusted with the project; any other asks a person once for each content.

/** Enough of a hash to name a content by hand. */
const LEAST_HASH = 12;

export async function requireConsent(
  { workflow, isTrusted }: UsableWorkflow,
  { hash }: Pick<WorkflowArguments, "hash">,
  { context, program }: BundledContext,
): Promise<void> {
  if (isTrusted) return;
  const state = program.sessions();
  const key = consentKey(workflow.hash);
  if (state.isApproved(null, key)) return;
  const name = `workflow ${workflow.name}`;
  if (context.isBelowAgent)
    throw fault("Required", { name }, { hint: "start it yourself, outside the agent" });
  if (!isNamed(workflow.hash, hash)) {
    const canAsk = context.isInteractive;
    if (!canAsk) {
      const short = workflow.hash.slice(0, LEAST_HASH);
      const hint = `start it once in a terminal, or look at it and say \`--hash ${short}\``;
      throw fault("Required", { name }, { hint });
    }
    const question = `Start ${workflow.file}? Its calls run agents with your rights. It is not asked about again until it changes.`;
    if (!(await context.ask.confirm(question))) throw fault("Declined", { name });
  }
  state.approve(null, key);
}

const isNamed = (hash: string, given: string | undefined): boolean =>
  given !== undefined && given.length >= LEAST_HASH && hash.startsWith(given);
