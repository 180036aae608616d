// How Claude Code is run: its flags by version, its configuration, its command line.
import * as z from "zod/mini";
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
import { configSchema, patternText } from "../run/config-fields.ts";
import { createClaudeCodeDialect } from "./parse.ts";
import { CLAUDE_TOOLS } from "./tools.ts";

const MODEL = /^(opus|sonnet|haiku|claude-[\w.@-]+|[\w.:/-]*anthropic[\w.:/-]+)(\[\w+\])?$/;
const TOOL = /^(?:mcp__[\w-]+(?:__[\w*-]+)?|[A-Za-z][\w-]*(?:\([^\n]+\))?)$/;

const tools = z.optional(
  z.array(patternText(TOOL, "must be a tool such as `Read`, `Bash(git:*)` or `mcp__server__tool`")),
);

const SCHEMA = configSchema({
  model: z.optional(
    patternText(
      MODEL,
      "must be `opus`, `sonnet`, `haiku`, a full id such as `claude-opus-5-5`, or a cloud id",
    ),
  ),
  allowed_tools: tools,
  disallowed_tools: tools,
});

export const claudeCodeAdapter = makeCliAdapter({
  name: "claude-code",
  codePrefix: "CLAUDE",
  program: "claude",
  installHint: "npm install -g @anthropic-ai/claude-code",
  provider: "anthropic",
  login: {
    variables: [
      ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      ...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
    ],
    files: ["$CLAUDE_CONFIG_DIR|.claude/.credentials.json"],
    // Settings may name a helper program or carry a key in `env`.
    possibleFiles: [
      "$CLAUDE_CONFIG_DIR|.claude/settings.json",
      "/etc/claude-code/managed-settings.json",
    ],
    isOptional: false,
  },
  variablePrefixes: [
    "ANTHROPIC_",
    "CLAUDE_",
    "AWS_",
    "GOOGLE_",
    "VERTEX_",
    "CLOUD_ML_",
    "DISABLE_",
    "API_TIMEOUT_",
    "BASH_",
    "MCP_",
    "IS_SANDBOX",
  ],
  capabilities: claudeCodeCapabilities,
  schema: SCHEMA,
  reasons: { temperature: "Claude Code has no control for the temperature" },
  commandWords,
  env: {
    // By itself it tries ten times, also after a refused key, for about three minutes.
    CLAUDE_CODE_MAX_RETRIES: "2",
    DISABLE_AUTOUPDATER: "1",
  },
  tools: CLAUDE_TOOLS,
  createDialect: createClaudeCodeDialect,
  // Seen of its models' figures and its cost with 2.1.325.
  resuming: {
    unknown: /No conversation found|requires a valid session/,
    countsOn: true,
  },
});

// From `--help` of 2.1.197 and 2.1.325; the last four values are accepted but not shown there.
const FLAGS = defineFlags({
  nothing: `--allow-dangerously-skip-permissions --ax-screen-reader --background,--bg --bare --brief
    --chrome --continue,-c --dangerously-skip-permissions --desktop@2.1.325 --disable-slash-commands
    --exclude-dynamic-system-prompt-sections --fork-session --forward-subagent-text@2.1.325 --help,-h
    --ide --include-hook-events --include-partial-messages --no-chrome --no-session-persistence
    --print,-p --replay-user-messages --restricted@2.1.325 --safe-mode --strict-mcp-config --tmux
    --verbose --version,-v`,
  value: `--agent --agents --append-system-prompt --autocompact@2.1.325 --debug-file --effort
    --environment@2.1.325 --fallback-model --input-format --json-schema --max-budget-usd --model
    --name,-n --output-format --permission-mode --permission-prompts@2.1.325 --plugin-dir*
    --plugin-url* --remote-control-session-name-prefix --session-id --setting-sources --settings
    --system-prompt --system-prompt-snapshot@2.1.325
    --append-system-prompt-file --system-prompt-file --max-turns --permission-prompt-tool`,
  optional: `--cloud@2.1.325 --debug,-d --from-pr --prompt-suggestions --remote-control --resume,-r
    --teleport@2.1.325 --worktree,-w`,
  list: `--add-dir* --allowedTools,--allowed-tools* --betas --disallowedTools,--disallowed-tools*
    --file --mcp-config --tools`,
  choices: {
    "--effort": ["low", "medium", "high", "xhigh", "max"],
    "--input-format": ["text", "stream-json"],
    "--output-format": ["text", "json", "stream-json"],
    "--permission-mode": [
      ...["acceptEdits", "auto", "bypassPermissions", "default"],
      ...["dontAsk", "manual", "plan"],
    ],
  },
});

const mode = modeOf("--permission-mode");

function claudeCodeCapabilities(version: string | null): AgentCapabilities {
  return {
    ...CODING_AGENT,
    flags: flagsOfVersion(FLAGS, version),
    ownFlags: ["--print", "--output-format", "--input-format", "--include-partial-messages"],
    settings: {
      agent_name: { to: "flag", flag: "--agent" },
      model: { to: "flag", flag: "--model" },
      system_prompt: { to: "text", flag: "--system-prompt", fileFlag: "--system-prompt-file" },
      append_system_prompt: {
        to: "text",
        flag: "--append-system-prompt",
        fileFlag: "--append-system-prompt-file",
      },
      permission_mode: {
        to: "modes",
        modes: {
          plan: mode("plan"),
          // 2.1.325 shows it as `manual` and takes both.
          ask: mode("default"),
          allowlist: mode("dontAsk"),
          auto: { ...mode("bypassPermissions"), refusedForRootWithout: "IS_SANDBOX" },
          default: mode("default"),
          acceptEdits: mode("acceptEdits"),
          dontAsk: mode("dontAsk"),
          bypassPermissions: { ...mode("bypassPermissions"), refusedForRootWithout: "IS_SANDBOX" },
        },
      },
      allowed_tools: { to: "flag", flag: "--allowedTools" },
      disallowed_tools: { to: "flag", flag: "--disallowedTools" },
      // There is no flag; 2.1.325 sends the variable's value as `max_tokens`.
      max_tokens: { to: "env", name: "CLAUDE_CODE_MAX_OUTPUT_TOKENS", byFile: false },
      max_turns: { to: "flag", flag: "--max-turns" },
      mcp_config: { to: "flag", flag: "--mcp-config" },
      settings: { to: "flag", flag: "--settings" },
      resume: { to: "flag", flag: "--resume" },
      add_dirs: { to: "flag", flag: "--add-dir" },
      effort: { to: "flag", flag: "--effort" },
      output_schema: { to: "flag", flag: "--json-schema" },
    },
    statesCost: true,
    outputFormats: ["stream-json", "json", "text"],
  };
}

function commandWords({ config }: AgentExecutionContext): CommandWords {
  const format = config.outputFormat;
  // Without partial messages a run that is cut leaves nothing of its last answer.
  const streaming = format === "stream-json" ? ["--verbose", "--include-partial-messages"] : [];
  return { lead: ["-p", "--output-format", format, ...streaming] };
}
