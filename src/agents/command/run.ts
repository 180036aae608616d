// Any program as an agent: the prompt goes in, text comes out, and nothing else is known about it.
import type { AgentAdapter } from "../run/adapter.ts";
import { type AgentCapabilities, NO_CAPABILITIES } from "../run/capabilities.ts";
import { buildProgramCommand, checkProgramConfig } from "../run/command-line.ts";
import { UNKNOWN_LOGIN } from "../run/login.ts";
import { PLAIN_DIALECT } from "../run/output/parser.ts";
import { kindOfAnyTool } from "../steps/tool-table.ts";

const CAPABILITIES: AgentCapabilities = { ...NO_CAPABILITIES, takesWords: true, hasTools: false };

export const commandAdapter: AgentAdapter = {
  name: "command",
  version: "1.0.0",
  codePrefix: "COMMAND",
  program: null,
  versionArgs: [],
  installHint: "name any program in `argv`",
  provider: null,
  login: UNKNOWN_LOGIN,
  variablePrefixes: [],
  capabilities: () => CAPABILITIES,
  checkConfig: (raw, context) => checkProgramConfig("command", CAPABILITIES, raw, context),
  buildCommand: (context) => buildProgramCommand(context, "text"),
  kindOfTool: kindOfAnyTool,
  createDialect: () => PLAIN_DIALECT,
};
