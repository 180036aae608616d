import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { commandHandler, groupOf } from "../steps/entry-schema.ts";
import {
  configIn,
  type EntryInstaller,
  type McpInstaller,
  plainServer,
  systemFile,
  wholeSeconds,
} from "../steps/installer.ts";
import { snakeSample } from "../steps/sample-step.ts";
import { CODEX_ABILITIES, CODEX_EVENTS } from "./hooks.ts";

/** More is not granted at the end of a session (0.166). */
const SESSION_END_SECONDS = 3;

// With an `http` handler the whole file is refused (0.166).
const handler = z.union([
  commandHandler,
  z.looseObject({ type: z.literal("mcp_tool"), server: z.string(), tool: z.string() }),
  z.looseObject({ type: z.enum(["prompt", "agent"]) }),
]);

export const codexInstaller: EntryInstaller = {
  kind: "entries",
  agent: "codex",
  abilities: CODEX_ABILITIES,
  events: CODEX_EVENTS,
  syntax: { comments: false, trailingCommas: false, mark: false },
  seed: {},
  ownsFile: false,
  canHttp: false,
  configFile: configIn(".codex", "CODEX_HOME", "hooks.json"),
  // What lies there is trusted without a question; a project's `[features]` would still switch it off, so the
  // requirements beside it, over which nothing has a word, switch it on (0.166).
  managed: {
    file: (target) => systemFile(target, "/etc/codex/hooks.json"),
    companion: (file) => ({ file: join(dirname(file), "requirements.toml"), text: REQUIREMENTS }),
  },
  makeEntry: ({ event }, { command, limitMs }) => ({
    hooks: [
      {
        type: "command",
        command,
        timeout: event === "SessionEnd" ? SESSION_END_SECONDS : wholeSeconds(limitMs),
      },
    ],
  }),
  schema: z.strictObject({
    description: z.optional(z.string()),
    hooks: z.optional(z.record(z.string(), z.array(groupOf(handler)))),
  }),
  writeSample: snakeSample({
    ownFields: ({ session }) => ({
      permission_mode: "default",
      turn_id: session,
      model: "unknown",
    }),
    toolResponse: (output) => output,
  }),
  blocksWithoutProgram: false,
  besideOthers: "if it rewrites too, whoever ends last wins, and our rules do not see what it made",
  nextSteps: (scope) => [
    ...(scope === "project" ? ["trust the project when `codex` asks"] : []),
    "start `codex` once and trust the hooks it shows (`/hooks`): until then it skips them silently",
  ],
};

const REQUIREMENTS = `# Written by \`adj install codex --managed\`: no project switches the hooks off.
[features]
hooks = true
`;

const findFile = configIn(".codex", "CODEX_HOME", "config.toml");

/** Where Adjutant keeps its files: Codex 0.166 hands on nothing that is not named. */
const VARIABLES = [
  ...["ADJ_STATE_DIR", "ADJ_CONFIG_DIR", "ADJ_DATA_DIR"],
  ...["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"],
];

export const codexMcp: McpInstaller = {
  agent: "codex",
  configFiles: (scope, target) => [findFile(scope, target)],
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
