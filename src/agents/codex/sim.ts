// How Codex CLI is pointed at the scripted model: a provider of its own with a dummy key, no telemetry, no updates,
// few retries.
import type { SimEnvironment, SimServer, SimSetup } from "../agent.ts";

export const codexSim: SimSetup = {
  isSender: ({ "user-agent": userAgent = "" }) => /^codex/i.test(userAgent),
  describeEnvironment,
};

/** A model name that codex knows: with another one it offers no `apply_patch` and warns. */
function describeEnvironment({ url, key, retries }: SimServer): SimEnvironment {
  const config = `model = "gpt-5.5"
model_provider = "sim"
approval_policy = "never"
check_for_update_on_startup = false

[features]
plugins = false
apps = false
remote_plugin = false
plugin_discovery_prefetch = false
unbounded_connection_retries = false

[analytics]
enabled = false

[feedback]
enabled = false

[model_providers.sim]
name = "sim"
base_url = "${url}/v1"
env_key = "CODEX_SIM_API_KEY"
wire_api = "responses"
request_max_retries = ${retries}
stream_max_retries = ${retries}
stream_idle_timeout_ms = 60000
`;
  return { env: { CODEX_SIM_API_KEY: key }, files: { ".codex/config.toml": config } };
}
