import { type AgentCapabilities, compareVersions, flagsOfVersion } from "../capabilities.ts";
import { defineFlags } from "../define-flags.ts";

// From `--help` of 0.15.10 and 0.24.4.
const FLAGS = defineFlags({
  nothing: `--acp --bare --chat-recording --continue,-c --debug,-d --experimental-lsp
    --fork-session@0.24.4 --help,-h --include-partial-messages --insecure@0.24.4
    --list-extensions,-l --openai-logging --restore-ask-user-question@0.24.4 --safe-mode@0.24.4
    --sandbox,-s --screen-reader --telemetry --telemetry-log-prompts --version,-v --yolo,-y`,
  value: `--append-system-prompt --approval-mode --auth-type --channel --input-file --input-format
    --json-fd --json-file --json-schema --max-session-turns --max-subagent-depth@0.24.4
    --max-tool-calls@0.24.4 --max-wall-time@0.24.4 --mcp-config --model,-m --openai-api-key
    --openai-base-url --openai-logging-dir --output-format,-o --output-style@0.24.4 --prompt,-p
    --prompt-interactive,-i --proxy --sandbox-image --session-id --system-prompt
    --telemetry-otlp-endpoint --telemetry-otlp-protocol --telemetry-outfile --telemetry-target`,
  optional: "--resume,-r --worktree@0.24.4",
  list: `--allowed-mcp-server-names* --allowed-tools* --core-tools* --disabled-slash-commands*
    --exclude-tools* --extensions,-e* --fallback-model*@0.24.4 --include-directories,--add-dir*`,
  choices: {
    "--approval-mode": ["plan", "default", "auto-edit", "auto", "yolo"],
    "--input-format": ["text", "stream-json"],
    "--output-format": ["text", "json", "stream-json"],
  },
});

const mode = (value: string) => ({ uses: [{ flag: "--approval-mode", value }] });

const MODES = {
  plan: mode("plan"),
  // Headless, what would be asked for is not offered to the model at all.
  ask: mode("default"),
  allowlist: mode("default"),
  auto: mode("yolo"),
  default: mode("default"),
  "auto-edit": mode("auto-edit"),
  yolo: mode("yolo"),
};

/** From this version on a failed shell command is reported as an error; earlier ones call it a success. */
export const tellsFailedCommands = (version: string | null): boolean =>
  version !== null && compareVersions(version, "0.24.0") >= 0;

export const qwenCapabilities = (version: string | null): AgentCapabilities => ({
  flags: flagsOfVersion(FLAGS, version),
  ownFlags: [
    ...["--prompt", "--prompt-interactive", "--output-format", "--input-format"],
    ...["--include-partial-messages", "--acp", "--json-fd", "--json-file"],
  ],
  settings: {
    model: { to: "flag", flag: "--model" },
    system_prompt: { to: "flag", flag: "--system-prompt" },
    append_system_prompt: { to: "flag", flag: "--append-system-prompt" },
    permission_mode: { to: "modes", modes: MODES },
    allowed_tools: { to: "flag", flag: "--allowed-tools" },
    disallowed_tools: { to: "flag", flag: "--exclude-tools" },
    max_turns: { to: "flag", flag: "--max-session-turns" },
    mcp_config: { to: "flag", flag: "--mcp-config" },
    resume: { to: "flag", flag: "--resume" },
    add_dirs: { to: "flag", flag: "--include-directories" },
  },
  prompt: "stdin",
  outputFormats: ["stream-json", "json", "text"],
  canResume: true,
  hasHooks: true,
  hasMcp: true,
  acp: ["--acp"],
  models: null,
});
