// How Copilot CLI is run: its flags by version, its configuration, its command line.
import { join } from "node:path";
import type { AgentExecutionContext } from "../run/adapter.ts";
import {
  type AgentCapabilities,
  CODING_AGENT,
  defineFlags,
  flagsOfVersion,
} from "../run/capabilities.ts";
import { type CliAgent, makeCliAdapter } from "../run/cli-adapter.ts";
import type { CommandWords } from "../run/command-line.ts";
import { CopilotDialect } from "./parse.ts";
import { COPILOT_TOOLS } from "./tools.ts";

const COPILOT: CliAgent = {
  name: "copilot",
  codePrefix: "COPILOT",
  program: "copilot",
  installHint: "npm install -g @github/copilot",
  provider: "github",
  login: {
    variables: [
      ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
      ...["COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BASE_URL"],
    ],
    files: [],
    companions: ["$COPILOT_HOME|.copilot/config.json", ".config/gh/hosts.yml"],
    possibleFiles: [],
    // Its login lies in the system's keychain or with the `gh` program.
    isOptional: true,
  },
  variablePrefixes: ["COPILOT_", "GH_", "GITHUB_"],
  capabilities: copilotCapabilities,
  commandWords,
  env: { COPILOT_AUTO_UPDATE: "false" },
  tools: COPILOT_TOOLS,
  createDialect: () => new CopilotDialect(),
  // Seen with 1.0.102.
  resuming: { unknown: /No session, task, or name matched/, countsOn: true },
};

export const copilotAdapter = makeCliAdapter(COPILOT);

/** It speaks the protocol instead of taking a prompt. */
export const copilotAcp = makeCliAdapter({
  ...COPILOT,
  commandWords: () => ({ lead: ["--acp", "--no-auto-update", "--no-ask-user", "--no-color"] }),
});

// From `--help` of 1.0.102.
const FLAGS = defineFlags({
  nothing: `--acp --allow-all --allow-all-mcp-server-instructions --allow-all-paths --allow-all-tools
    --allow-all-urls --assisted-approval --autopilot --banner --continue --disable-builtin-mcps
    --disable-client-telemetry --disallow-temp-dir --enable-all-github-mcp-tools --enable-memory
    --experimental --fleet --help,-h --no-ask-user --no-auto-update --no-bash-env --no-color
    --no-custom-instructions --no-eager-powershell-resolution --no-experimental --no-mouse
    --no-remote --no-remote-export --plain-diff --plan --remote --remote-export --screen-reader
    --share-gist --silent,-s --trust-folder --version,-v --yolo`,
  value: `--add-dir* --add-github-mcp-tool* --add-github-mcp-toolset* --additional-mcp-config* --agent
    --attachment* --auto-tier --context -C --disable-mcp-server* --dynamic-retrieval*
    --enable-mcp-server* --environment-compute-id --environment-host --extension-sdk-path
    --interactive,-i --log-dir --log-level --max-ai-credits --max-autopilot-continues
    --mcp-github-auth* --mode --model --name,-n --output-format --plugin-dir* --prompt,-p
    --reasoning-effort --session-id --stream --usage-output-file`,
  optional: "--bash-env --connect --mouse --resume,-r --share",
  list: `--allow-tool* --allow-url* --available-tools* --deny-tool* --deny-url* --excluded-tools*
    --secret-env-vars*`,
  choices: {
    "--mode": ["interactive", "plan", "autopilot"],
    "--output-format": ["text", "json"],
    "--reasoning-effort": ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
    "--stream": ["on", "off"],
  },
});

function copilotCapabilities(version: string | null): AgentCapabilities {
  return {
    ...CODING_AGENT,
    flags: flagsOfVersion(FLAGS, version),
    ownFlags: [
      ...["--prompt", "--interactive", "--output-format", "--usage-output-file", "--no-color"],
      ...["--no-ask-user", "--no-auto-update", "--acp", "-C"],
    ],
    settings: {
      agent_name: { to: "flag", flag: "--agent" },
      model: { to: "flag", flag: "--model" },
      permission_mode: {
        to: "modes",
        modes: {
          plan: { uses: [{ flag: "--mode", value: "plan" }] },
          // Headless nobody answers, so what would be asked for is refused.
          ask: { uses: [] },
          allowlist: { uses: [] },
          auto: { uses: [{ flag: "--allow-all-tools", value: true }] },
          yolo: { uses: [{ flag: "--yolo", value: true }] },
          autopilot: { uses: [{ flag: "--mode", value: "autopilot" }] },
        },
      },
      allowed_tools: { to: "flag", flag: "--allow-tool" },
      disallowed_tools: { to: "flag", flag: "--deny-tool" },
      mcp_config: { to: "flag", flag: "--additional-mcp-config", pathPrefix: "@" },
      resume: { to: "flag", flag: "--resume" },
      add_dirs: { to: "flag", flag: "--add-dir" },
      effort: { to: "flag", flag: "--reasoning-effort" },
    },
    outputFormats: ["json", "text"],
    acp: ["--acp"],
  };
}

function commandWords({ config, logDir }: AgentExecutionContext): CommandWords {
  // Its output has no token figures; this file has.
  const reportPath = join(logDir, "copilot-usage.json");
  const lead = [
    ...["--output-format", config.outputFormat],
    ...["--no-auto-update", "--no-ask-user", "--no-color"],
    ...["--usage-output-file", reportPath],
  ];
  return { lead, reportPath };
}
