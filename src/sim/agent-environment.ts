// How each known agent CLI is pointed at the scripted model: a dummy key, no telemetry, no updates,
// and few retries, because some of them retry for minutes (claude-code 2.1.325, qwen 0.24.4).
import type { SimAgent } from "./sim-agent.ts";

/** Plain description; nothing is written. */
export interface AgentEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** By path relative to the home folder. */
  readonly files: Readonly<Record<string, string>>;
}

const DUMMY_KEY = "sk-sim-0000";
const MODEL = "sim-model";
const RETRIES = 2;

const ENVIRONMENTS: Readonly<Record<SimAgent, (url: string) => AgentEnvironment>> = {
  "claude-code": describeClaudeCode,
  codex: describeCodex,
  gemini: describeGemini,
  opencode: describeOpencode,
  copilot: describeCopilot,
  qwen: describeQwen,
};

/** For an unknown program everything at once: it may start any of them, or speak a protocol itself. */
export function describeAgentEnvironment(agent: SimAgent | null, url: string): AgentEnvironment {
  if (agent !== null) return ENVIRONMENTS[agent](url);
  const all = Object.values(ENVIRONMENTS).map((describe) => describe(url));
  return {
    env: Object.assign({}, ...all.map(({ env }) => env)),
    files: Object.assign({}, ...all.map(({ files }) => files)),
  };
}

function describeClaudeCode(url: string): AgentEnvironment {
  return {
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: DUMMY_KEY,
      API_TIMEOUT_MS: "60000",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: String(RETRIES),
      DISABLE_AUTOUPDATER: "1",
      DISABLE_BUG_COMMAND: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
    },
    files: {},
  };
}

/** A model name that codex knows: with another one it offers no `apply_patch` and warns. */
function describeCodex(url: string): AgentEnvironment {
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
request_max_retries = ${RETRIES}
stream_max_retries = ${RETRIES}
stream_idle_timeout_ms = 60000
`;
  return { env: { CODEX_SIM_API_KEY: DUMMY_KEY }, files: { ".codex/config.toml": config } };
}

function describeGemini(url: string): AgentEnvironment {
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
      GEMINI_API_KEY: DUMMY_KEY,
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

function describeOpencode(url: string): AgentEnvironment {
  const model = {
    name: "Scripted model",
    tool_call: true,
    limit: { context: 200_000, output: 8192 },
    cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
  };
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Sim",
    options: { baseURL: `${url}/v1`, apiKey: "{env:OPENCODE_SIM_API_KEY}" },
    models: { [MODEL]: model },
  };
  const settings = {
    autoupdate: false,
    share: "disabled",
    provider: { sim: provider },
    model: `sim/${MODEL}`,
    small_model: `sim/${MODEL}`,
  };
  return {
    env: {
      OPENCODE_SIM_API_KEY: DUMMY_KEY,
      // It asks the registry for its plugin package at every start; here it is told that there is none.
      npm_config_registry: url,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_SHARE: "1",
    },
    files: { ".config/opencode/opencode.json": JSON.stringify(settings) },
  };
}

function describeCopilot(url: string): AgentEnvironment {
  return {
    env: {
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_MODEL: MODEL,
      COPILOT_OFFLINE: "true",
      COPILOT_OTEL_ENABLED: "false",
      COPILOT_PROVIDER_API_KEY: DUMMY_KEY,
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    },
    files: {},
  };
}

function describeQwen(url: string): AgentEnvironment {
  const settings = {
    security: { auth: { selectedType: "openai" } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, disableAutoUpdate: true },
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  };
  return {
    env: {
      OPENAI_API_KEY: DUMMY_KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: MODEL,
      QWEN_CODE_NO_RELAUNCH: "true",
      QWEN_TELEMETRY_ENABLED: "false",
    },
    files: { ".qwen/settings.json": JSON.stringify(settings) },
  };
}
