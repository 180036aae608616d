/** The agents' own variables that say where they keep their files. */
export const HOME_VARIABLES = [
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "GEMINI_CLI_HOME",
  "QWEN_HOME",
  "COPILOT_HOME",
] as const;
