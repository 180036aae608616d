import type { AgentAdapter } from "../adapter.ts";
import { NO_EVENTS } from "../log-event.ts";
import { buildProgramCommand } from "../program-command.ts";
import { checkProgramConfig } from "../program-config.ts";
import { commandCapabilities } from "./capabilities.ts";

export const command: AgentAdapter = {
  name: "command",
  version: "1.0.0",
  codePrefix: "COMMAND",
  program: null,
  versionArgs: [],
  installHint: "name any program in `argv`",
  provider: null,
  login: { variables: [], files: [], hidingPlaces: [], isOptional: true },
  variablePrefixes: [],
  ownFields: ["argv"],
  capabilities: commandCapabilities,
  checkConfig: (raw, place) => checkProgramConfig("command", commandCapabilities(), raw, place),
  buildCommand: (context) => buildProgramCommand(context, "text"),
  createDialect: () => ({
    recognizes: () => false,
    readRecord: () => NO_EVENTS,
    finish: () => NO_EVENTS,
  }),
};
