// How Qwen Code is run: its flags by version, its configuration, its command line.
import type { AgentExecutionContext } from "../run/adapter.ts";
import {
  type AgentCapabilities,
  CODING_AGENT,
  defineFlags,
  flagsOfVersion,
  modeOf,
} from "../run/capabilities.ts";
import { makeCliAdapter } from "../run/cli-adapter.ts";
import type { CommandWords } from "../run/command-line.ts";
import { QwenDialect } from "./parse.ts";
import { QWEN_TOOLS } from "./tools.ts";

export const qwenAdapter = makeCliAdapter({
  name: "qwen",
  codePrefix: "QWEN",
  program: "qwen",
  installHint: "npm install -g @qwen-code/qwen-code",
  provider: "qwen",
  login: {
    variables: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"],
    files: [".qwen/oauth_creds.json"],
    possibleFiles: [".qwen/settings.json", ".qwen/.env", ".env"],
    // Each of its `modelProviders` may name a variable of its own (0.24.4).
    keyFiles: [{ path: ".qwen/settings.json", names: /"envKey"\s*:\s*"(\w+)"/g }],
    isOptional: false,
  },
  variablePrefixes: [
    "QWEN_",
    "OPENAI_",
    "DASHSCOPE_",
    "BAILIAN_",
    "ANTHROPIC_",
    "GEMINI_",
    "GOOGLE_",
  ],
  capabilities: qwenCapabilities,
  commandWords,
  // It starts itself again as a child, which outlives a signal to the parent.
  env: { QWEN_CODE_NO_RELAUNCH: "true", QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" },
  tools: QWEN_TOOLS,
  createDialect: () => new QwenDialect(),
  // Both seen with 0.24.4.
  resuming: { unknown: /No saved session found/, countsOn: true, hooksOnlyRefuse: true },
});

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

const mode = modeOf("--approval-mode");

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

function qwenCapabilities(version: string | null): AgentCapabilities {
  return {
    ...CODING_AGENT,
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
      output_schema: { to: "flag", flag: "--json-schema" },
    },
    headlessOnly: ["output_schema"],
    outputFormats: ["stream-json", "json", "text"],
    acp: ["--acp"],
  };
}

function commandWords({ config }: AgentExecutionContext): CommandWords {
  const format = config.outputFormat;
  const streaming = format === "stream-json" ? ["--include-partial-messages"] : [];
  return { lead: ["--output-format", format, ...streaming] };
}
