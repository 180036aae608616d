import type { AgentAdapter, AgentCommand, AgentExecutionContext } from "../adapter.ts";
import { NO_EVENTS } from "../log-event.ts";
import { replayCapabilities } from "./capabilities.ts";
import { checkReplayConfig } from "./config.ts";
import { executeReplay, REPLAY_PREFIX } from "./execute.ts";

export const replay: AgentAdapter = {
  name: "replay",
  version: "1.0.0",
  codePrefix: REPLAY_PREFIX,
  program: null,
  versionArgs: [],
  installHint: "it is built in",
  provider: null,
  login: { variables: [], files: [], hidingPlaces: [], isOptional: true },
  variablePrefixes: [],
  ownFields: ["cassette", "pace"],
  capabilities: replayCapabilities,
  checkConfig: checkReplayConfig,
  buildCommand: describePlaying,
  createDialect: () => ({
    recognizes: () => false,
    readRecord: () => NO_EVENTS,
    finish: () => NO_EVENTS,
  }),
  execute: executeReplay,
};

/** For showing only: no process of this name is ever started. */
function describePlaying(context: AgentExecutionContext): AgentCommand {
  return {
    executable: "replay",
    args: [String(context.config.own.cassette)],
    env: context.env,
    cwd: context.workspaceDir,
    timeout: context.timeout,
    files: [],
    reportPath: null,
    outputFormat: "text",
  };
}
