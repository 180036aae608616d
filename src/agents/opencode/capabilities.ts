import { type AgentCapabilities, flagsOfVersion } from "../capabilities.ts";
import { defineFlags } from "../define-flags.ts";

// From `opencode run --help` of 1.18.33.
const FLAGS = defineFlags({
  nothing: `--auto --continue,-c --fork --help,-h --interactive,-i --print-logs --pure --share
    --thinking --version,-v`,
  value: `--agent --attach --command --dir --format --log-level --model,-m --password,-p --port
    --session,-s --username,-u --variant`,
  optional: "--title",
  list: "--file,-f*",
  choices: {
    "--format": ["default", "json"],
    "--log-level": ["DEBUG", "INFO", "WARN", "ERROR"],
  },
});

export const opencodeCapabilities = (version: string | null): AgentCapabilities => ({
  flags: flagsOfVersion(FLAGS, version),
  ownFlags: ["--format", "--interactive", "--dir"],
  settings: {
    agent_name: { to: "flag", flag: "--agent" },
    model: { to: "flag", flag: "--model" },
    permission_mode: {
      to: "modes",
      modes: {
        plan: { uses: [{ flag: "--agent", value: "plan" }] },
        // Headless, what its configuration says to ask for is refused.
        ask: { uses: [] },
        allowlist: { uses: [] },
        auto: { uses: [{ flag: "--auto", value: true }] },
      },
    },
    max_tokens: { to: "env", name: "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", byFile: false },
    resume: { to: "flag", flag: "--session" },
  },
  prompt: "stdin",
  outputFormats: ["json", "default"],
  canResume: true,
  hasHooks: true,
  hasMcp: true,
  acp: ["acp"],
  models: null,
});
