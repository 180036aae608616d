// How Claude Code is pointed at the scripted model: a dummy key, no telemetry, no updates, and few retries, because
// 2.1.325 retries for minutes.
import type { SimEnvironment, SimServer, SimSetup } from "../agent.ts";

export const claudeCodeSim: SimSetup = {
  isSender: ({ "user-agent": userAgent = "" }) => /^claude-cli\//i.test(userAgent),
  describeEnvironment,
};

function describeEnvironment({ url, key, retries }: SimServer): SimEnvironment {
  return {
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      API_TIMEOUT_MS: "60000",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: String(retries),
      DISABLE_AUTOUPDATER: "1",
      DISABLE_BUG_COMMAND: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
    },
    files: {},
  };
}
