import type { AgentAdapter } from "../adapter.ts";
import { buildProgramCommand } from "../program-command.ts";
import { acpCapabilities } from "./capabilities.ts";
import { checkAcpConfig } from "./config.ts";
import { Conversation } from "./conversation.ts";
import { executeAcp } from "./execute.ts";

/** Any agent that speaks the Agent Client Protocol, by its command line. */
export const acp: AgentAdapter = {
  name: "acp",
  version: "1.0.0",
  codePrefix: "ACP",
  program: null,
  versionArgs: [],
  installHint: "name a program that speaks ACP in `argv`, such as [gemini, --acp]",
  provider: null,
  login: { variables: [], files: [], hidingPlaces: [], isOptional: true },
  // Which agent it will be is not known here: the keys of those that speak the protocol.
  variablePrefixes: [
    ...["ANTHROPIC_", "CLAUDE_", "OPENAI_", "CODEX_", "AZURE_OPENAI_", "GEMINI_", "GOOGLE_"],
    ...["OPENCODE_", "OPENROUTER_", "COPILOT_", "GH_", "GITHUB_", "QWEN_", "DASHSCOPE_"],
  ],
  ownFields: ["argv", "offer_files"],
  capabilities: acpCapabilities,
  checkConfig: checkAcpConfig,
  buildCommand: (context) => buildProgramCommand(context, "structured"),
  // A saved conversation: nobody is there to be answered.
  createDialect: () =>
    new Conversation({
      cwd: "/",
      prompt: "",
      resume: null,
      model: null,
      policy: null,
      send: () => undefined,
      serveFile: () => undefined,
      onEnd: () => undefined,
    }),
  execute: (context, options) => executeAcp(acp, context, options),
};
