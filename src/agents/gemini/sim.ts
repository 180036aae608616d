// How Gemini CLI is pointed at the scripted model: a dummy key, no telemetry, no updates, few retries.
import type { SimEnvironment, SimServer, SimSetup } from "../agent.ts";

export const geminiSim: SimSetup = {
  isSender: ({ "user-agent": userAgent = "" }) => /^geminicli/i.test(userAgent),
  describeEnvironment,
};

function describeEnvironment({ url, key }: SimServer): SimEnvironment {
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      // Five seconds before the second try and ten before the third.
      maxAttempts: 2,
    },
  };
  return {
    env: {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      // With the default, `auto`, a classifier is asked first.
      GEMINI_MODEL: "gemini-2.5-flash",
      GEMINI_TELEMETRY_ENABLED: "false",
    },
    files: { ".gemini/settings.json": JSON.stringify(settings) },
  };
}
