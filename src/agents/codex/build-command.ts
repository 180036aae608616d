import type { AgentCommand, AgentExecutionContext } from "../adapter.ts";
import { composeCommand } from "../compose-command.ts";
import { codexCapabilities } from "./capabilities.ts";

export function buildCodexCommand(context: AgentExecutionContext): AgentCommand {
  const { outputFormat, settings } = context.config;
  // `-` is the prompt on stdin; a resumed session is a subcommand behind all flags.
  const tail = settings.resume === undefined ? ["-"] : ["resume", String(settings.resume), "-"];
  return composeCommand(context, {
    program: "codex",
    capabilities: codexCapabilities(context.agentVersion ?? null),
    lead: [
      "exec",
      ...(outputFormat === "json" ? ["--json"] : ["--color", "never"]),
      "--skip-git-repo-check",
      // Without a network it would wait for ever. As configuration, older versions take it too.
      ...["-c", "features.unbounded_connection_retries=false"],
      ...["-c", "check_for_update_on_startup=false"],
    ],
    tail,
  });
}
