// How opencode is pointed at the scripted model: a provider of its own with a dummy key, no telemetry, no updates.
import type { SimEnvironment, SimServer, SimSetup } from "../agent.ts";

export const opencodeSim: SimSetup = {
  isSender: ({ "user-agent": userAgent = "" }) => /^opencode\//i.test(userAgent),
  describeEnvironment,
};

function describeEnvironment({ url, key, model }: SimServer): SimEnvironment {
  const scripted = {
    name: "Scripted model",
    tool_call: true,
    limit: { context: 200_000, output: 8192 },
    cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
  };
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Sim",
    options: { baseURL: `${url}/v1`, apiKey: "{env:OPENCODE_SIM_API_KEY}" },
    models: { [model]: scripted },
  };
  const settings = {
    autoupdate: false,
    share: "disabled",
    provider: { sim: provider },
    model: `sim/${model}`,
    small_model: `sim/${model}`,
  };
  return {
    env: {
      OPENCODE_SIM_API_KEY: key,
      // With a plugin it installs a package and what that needs into every new folder, from wherever npm would.
      npm_config_offline: "true",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_SHARE: "1",
    },
    files: { ".config/opencode/opencode.json": JSON.stringify(settings) },
  };
}
