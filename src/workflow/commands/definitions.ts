// The workflows that an action may name: where they are looked for from this command.
import { homedir } from "node:os";
import {
  findWorkflow,
  listWorkflows,
  type UsableWorkflow,
  type WorkflowList,
  type WorkflowPlaces,
} from "../definition/find-workflow.ts";
import type { WorkflowContext } from "./context.ts";

async function placesOf({ context, program }: WorkflowContext): Promise<WorkflowPlaces> {
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
  place: WorkflowContext,
): Promise<UsableWorkflow> => findWorkflow(word, await placesOf(place));

export const listDefinitions = async (place: WorkflowContext): Promise<WorkflowList> =>
  listWorkflows(await placesOf(place));
