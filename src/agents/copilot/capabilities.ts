import { type AgentCapabilities, flagsOfVersion } from "../capabilities.ts";
import { defineFlags } from "../define-flags.ts";

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

export const copilotCapabilities = (version: string | null): AgentCapabilities => ({
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
  },
  prompt: "stdin",
  outputFormats: ["json", "text"],
  canResume: true,
  hasHooks: true,
  hasMcp: true,
  acp: ["--acp"],
  models: null,
});
