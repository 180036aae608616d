import { type AgentCapabilities, flagsOfVersion } from "../capabilities.ts";
import { defineFlags } from "../define-flags.ts";

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

const mode = (value: string) => ({ uses: [{ flag: "--permission-mode", value }] });

export const claudeCodeCapabilities = (version: string | null): AgentCapabilities => ({
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
  },
  prompt: "stdin",
  outputFormats: ["stream-json", "json", "text"],
  canResume: true,
  hasHooks: true,
  hasMcp: true,
  acp: null,
  models: null,
});
