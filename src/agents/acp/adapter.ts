import type { AgentAdapter } from "../adapter.ts";
import { buildProgramCommand } from "../program-command.ts";
import { checkProgramConfig } from "../program-config.ts";
import { acpCapabilities } from "./capabilities.ts";
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
  variablePrefixes: [],
  capabilities: acpCapabilities,
  checkConfig: (raw, place) => checkProgramConfig("acp", acpCapabilities(), raw, place),
  buildCommand: (context) => buildProgramCommand(context, "structured"),
  // A saved conversation: nobody is there to be answered.
  createDialect: () =>
    new Conversation({
      cwd: "/",
      prompt: "",
      resume: null,
      policy: null,
      send: () => undefined,
      onEnd: () => undefined,
    }),
  execute: (context, options) => executeAcp(acp, context, options),
};
