import type { AgentCommand, AgentExecutionContext } from "../adapter.ts";

export function buildProgramCommand(context: AgentExecutionContext): AgentCommand {
  const [program = "", ...args] = context.config.extraArgs;
  return {
    executable: context.program ?? program,
    args,
    env: context.env,
    cwd: context.workspaceDir,
    stdin: context.config.prompt,
    timeout: context.timeout,
    files: [],
    reportPath: null,
    outputFormat: "text",
  };
}
