// How Copilot CLI is pointed at the scripted model: a provider of the user's own with a dummy key, no telemetry, no
// updates.
import type { SimEnvironment, SimServer, SimSetup } from "../agent.ts";

export const copilotSim: SimSetup = {
  isSender: (headers) =>
    // With a provider of the user's own, 1.0.102 names only the library it is built on.
    /copilot/i.test(headers["user-agent"] ?? "") || headers["x-initiator"] !== undefined,
  describeEnvironment,
};

function describeEnvironment({ url, key, model }: SimServer): SimEnvironment {
  return {
    env: {
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_MODEL: model,
      COPILOT_OFFLINE: "true",
      COPILOT_OTEL_ENABLED: "false",
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    },
    files: {},
  };
}
