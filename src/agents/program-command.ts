import type { AgentCommand, AgentExecutionContext, OutputFormat } from "./adapter.ts";
import { asList } from "./json-fields.ts";

/** The command line of an agent that the user names by its `argv`. */
export function buildProgramCommand(
  context: AgentExecutionContext,
  outputFormat: OutputFormat,
): AgentCommand {
  const [program = "", ...args] = asList(context.config.own.argv).map(String);
  return {
    executable: context.program || program,
    args: [...args, ...context.config.extraArgs],
    env: context.env,
    cwd: context.workspaceDir,
    ...(context.isPromptInArguments === true ? {} : { stdin: context.config.prompt }),
    timeout: context.timeout,
    files: [],
    reportPath: null,
    outputFormat,
  };
}
