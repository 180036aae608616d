import type { AgentCommand, AgentExecutionContext } from "../adapter.ts";
import { asList } from "../json-fields.ts";

export function buildProgramCommand(context: AgentExecutionContext): AgentCommand {
  const [program = "", ...args] = asList(context.config.own.argv).map(String);
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
