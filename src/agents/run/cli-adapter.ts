// A coding agent's own CLI as an adapter: from what is special of it, the rest of the contract is filled in.
import { kindsOf, type ToolTable } from "../steps/tool-table.ts";
import type { AgentAdapter, AgentExecutionContext } from "./adapter.ts";
import type { PortableSetting } from "./capabilities.ts";
import { type CommandWords, composeCommand } from "./command-line.ts";
import { type AgentConfig, type ConfigProblem, checkAgentConfig } from "./config.ts";
import { type ConfigSchema, configSchema } from "./config-fields.ts";

export interface CliAgent
  extends Omit<
    AgentAdapter,
    "version" | "versionArgs" | "program" | "checkConfig" | "buildCommand" | "kindOfTool"
  > {
  readonly program: string;
  readonly tools: ToolTable;
  /** Where it takes other values of the common fields. */
  readonly schema?: ConfigSchema;
  /** Why a setting is impossible, where there is more to say than that. */
  readonly reasons?: Readonly<Partial<Record<PortableSetting, string>>>;
  /** What of a configuration that is right in itself does not go together. */
  readonly findConflicts?: (config: AgentConfig) => readonly ConfigProblem[];
  /** Defaults of its environment; the caller's wins. */
  readonly env?: Readonly<Record<string, string>>;
  commandWords(context: AgentExecutionContext): CommandWords;
}

export function makeCliAdapter(cli: CliAgent): AgentAdapter {
  const { tools, schema = configSchema(), reasons, findConflicts, env, commandWords, ...own } = cli;
  return {
    ...own,
    version: "1.0.0",
    versionArgs: ["--version"],
    checkConfig: (raw, context) => {
      const capabilities = cli.capabilities(context.agentVersion);
      const rules = { agent: cli.name, schema, capabilities, ...(reasons && { reasons }) };
      const check = checkAgentConfig(rules, raw, context);
      if (check.kind === "invalid") return check;
      const problems = findConflicts?.(check.config) ?? [];
      return problems.length === 0 ? check : { kind: "invalid", problems };
    },
    buildCommand: (context) => {
      const { program } = cli;
      const capabilities = cli.capabilities(context.agentVersion ?? null);
      const words = commandWords(context);
      return composeCommand(context, { program, capabilities, ...(env && { env }), ...words });
    },
    kindOfTool: kindsOf(tools),
  };
}
