// How opencode is run: its flags by version, its configuration, its command line.
import * as z from "zod/mini";
import type { AgentCommand, AgentExecutionContext } from "../run/adapter.ts";
import {
  type AgentCapabilities,
  CODING_AGENT,
  defineFlags,
  flagsOfVersion,
} from "../run/capabilities.ts";
import { type CliAgent, makeCliAdapter } from "../run/cli-adapter.ts";
import type { AgentConfig, ConfigProblem } from "../run/config.ts";
import { configSchema, patternText } from "../run/config-fields.ts";
import { OpencodeDialect } from "./parse.ts";
import { describePermissions } from "./permissions.ts";
import { OPENCODE_TOOLS } from "./tools.ts";

const SCHEMA = configSchema({
  model: z.optional(
    patternText(
      /^[^\s/-][^\s/]*\/\S+$/,
      "must be a provider and a model, as in `anthropic/claude-opus-5-5`",
    ),
  ),
});

const OPENCODE: CliAgent = {
  name: "opencode",
  codePrefix: "OPENCODE",
  program: "opencode",
  installHint: "npm install -g opencode-ai",
  // It serves any provider: the model's name says which.
  provider: null,
  login: {
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
    files: ["$XDG_DATA_HOME|.local/share/opencode/auth.json"],
    possibleFiles: [],
    keyFiles: ["opencode.json", "opencode.jsonc", "config.json"].map((name) => ({
      path: `$XDG_CONFIG_HOME|.config/opencode/${name}`,
      names: /\{env:(\w+)\}/g,
    })),
    // It has models that need no key.
    isOptional: true,
  },
  variablePrefixes: [
    "OPENCODE_",
    // It fetches its plugin package by npm.
    "npm_config_",
    "ANTHROPIC_",
    "OPENAI_",
    "GEMINI_",
    "GOOGLE_",
    "OPENROUTER_",
    "AWS_",
    "AZURE_",
    "GITHUB_TOKEN",
    "GROQ_",
    "MISTRAL_",
    "DEEPSEEK_",
    "XAI_",
  ],
  capabilities: opencodeCapabilities,
  schema: SCHEMA,
  findConflicts,
  commandWords: ({ config }) => ({ lead: ["run", "--format", config.outputFormat] }),
  // With any plugin it waits for npm to fetch a package into every folder with settings: one try, not four.
  env: { OPENCODE_DISABLE_AUTOUPDATE: "1", npm_config_fetch_retries: "0" },
  tools: OPENCODE_TOOLS,
  createDialect: () => new OpencodeDialect(),
  resuming: { unknown: /Session not found/, strictEnv: describePermissions("deny") },
};

export const opencodeAdapter = makeCliAdapter(OPENCODE);

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

function opencodeCapabilities(version: string | null): AgentCapabilities {
  return {
    ...CODING_AGENT,
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
      // Reasoning effort is one of the variants that a provider gives a model.
      effort: { to: "flag", flag: "--variant" },
    },
    statesCost: true,
    outputFormats: ["json", "default"],
    acp: ["acp"],
    modelsArgs: ["models"],
  };
}

function findConflicts({ settings }: AgentConfig): ConfigProblem[] {
  const { agent_name, permission_mode } = settings;
  if (agent_name === undefined || permission_mode !== "plan") return [];
  const message = "`plan` is an agent of its own here and cannot go with `agent_name`";
  return [{ path: "permission_mode", message }];
}

const server = makeCliAdapter({
  ...OPENCODE,
  capabilities: serverCapabilities,
  commandWords: () => ({ lead: ["serve", "--hostname", "127.0.0.1"] }),
});

function serverCapabilities(version: string | null): AgentCapabilities {
  const capabilities = opencodeCapabilities(version);
  const { max_tokens } = capabilities.settings;
  const settings = max_tokens === undefined ? {} : { max_tokens };
  return { ...capabilities, settings, prompt: "none" };
}

/** A server for one conversation. Model and agent go with each prompt; its port is still to be chosen. */
export function buildServeCommand(context: AgentExecutionContext): AgentCommand {
  const command = server.buildCommand(context);
  return { ...command, env: { ...command.env, ...describePermissions("ask") } };
}
