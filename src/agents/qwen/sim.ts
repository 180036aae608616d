// How Qwen Code is pointed at the scripted model: a dummy key, no telemetry, no updates.
import type { SimEnvironment, SimServer, SimSetup } from "../agent.ts";

export const qwenSim: SimSetup = {
  isSender: ({ "user-agent": userAgent = "" }) => /^qwencode\//i.test(userAgent),
  describeEnvironment,
};

function describeEnvironment({ url, key, model }: SimServer): SimEnvironment {
  const settings = {
    security: { auth: { selectedType: "openai" } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, disableAutoUpdate: true },
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  };
  return {
    env: {
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: model,
      QWEN_CODE_NO_RELAUNCH: "true",
      QWEN_TELEMETRY_ENABLED: "false",
    },
    files: { ".qwen/settings.json": JSON.stringify(settings) },
  };
}
