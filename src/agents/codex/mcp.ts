import { configIn } from "../steps/installer.ts";
import { type McpInstaller, plainServer } from "../steps/mcp-installer.ts";

const findFile = configIn(".codex", "CODEX_HOME", "config.toml");

/** Where Adjutant keeps its files: Codex 0.166 hands on nothing that is not named. */
const VARIABLES = [
  ...["ADJ_STATE_DIR", "ADJ_CONFIG_DIR", "ADJ_DATA_DIR"],
  ...["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"],
];

export const codexMcp: McpInstaller = {
  agent: "codex",
  configFiles: (scope, place) => [findFile(scope, place)],
  syntax: "toml",
  key: "mcp_servers",
  // What is not required it does not wait for (0.166), and a first turn would have no tools.
  makeEntry: (words) =>
    plainServer(words, { required: true, startup_timeout_sec: 30, env_vars: VARIABLES }),
  nextSteps: (scope) => [
    ...(scope === "project" ? ["trust the project when `codex` asks"] : []),
    "in a sandbox `codex exec` refuses what is not read-only, unless `default_tools_approval_mode` of the server says `approve`",
  ],
};
