import type { AgentCommand, AgentExecutionContext, OutputFormat } from "./adapter.ts";
import { type AgentCapabilities, writeFlag } from "./capabilities.ts";
import { translateSettings } from "./translate-settings.ts";

export interface CommandPlan {
  readonly program: string;
  readonly capabilities: AgentCapabilities;
  /** Words before the settings: the subcommand and what a headless run needs. */
  readonly lead: readonly string[];
  /** Words after everything else. */
  readonly tail?: readonly string[];
  /** Defaults of the adapter; the caller's environment wins. */
  readonly env?: Readonly<Record<string, string>>;
  readonly reportPath?: string;
}

/** Settings, further arguments and the prompt in the one order that all agents share. Pure. */
export function composeCommand(context: AgentExecutionContext, plan: CommandPlan): AgentCommand {
  const { config, logDir } = context;
  const { capabilities } = plan;
  const translated = translateSettings(capabilities, config.settings, logDir);
  const flags = translated.uses.flatMap((use) => writeFlag(capabilities.flags, use));
  return {
    executable: context.program ?? plan.program,
    args: [...plan.lead, ...flags, ...config.extraArgs, ...(plan.tail ?? [])],
    env: { ...plan.env, ...context.env, ...translated.env },
    cwd: context.workspaceDir,
    ...(isPiped(context, capabilities) ? { stdin: config.prompt } : {}),
    timeout: context.timeout,
    files: translated.files,
    reportPath: plan.reportPath ?? null,
    outputFormat: formatOf(config.outputFormat),
  };
}

const isPiped = (
  { isPromptInArguments = false }: AgentExecutionContext,
  { prompt }: AgentCapabilities,
): boolean => prompt === "stdin" && !isPromptInArguments;

const formatOf = (name: string): OutputFormat =>
  name === "text" || name === "default" ? "text" : "structured";
