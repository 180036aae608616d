// How Gemini CLI is run: its flags by version, its configuration, its command line.
import {
  type AgentCapabilities,
  CODING_AGENT,
  defineFlags,
  flagsOfVersion,
  modeOf,
} from "../run/capabilities.ts";
import { type CliAgent, makeCliAdapter } from "../run/cli-adapter.ts";
import { GeminiDialect } from "./parse.ts";
import { GEMINI_TOOLS } from "./tools.ts";

const GEMINI: CliAgent = {
  name: "gemini",
  codePrefix: "GEMINI",
  program: "gemini",
  installHint: "npm install -g @google/gemini-cli",
  provider: "google",
  login: {
    variables: [
      ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
      ...["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "CLOUD_SHELL"],
    ],
    files: [".gemini/oauth_creds.json"],
    companions: [".gemini/google_accounts.json"],
    possibleFiles: [".gemini/settings.json", ".gemini/.env", ".env"],
    isOptional: false,
  },
  variablePrefixes: ["GEMINI_", "GOOGLE_"],
  capabilities: geminiCapabilities,
  commandWords: ({ config }) => ({
    // Headless it refuses a folder that it was not told to trust, with exit code 55.
    lead: ["--output-format", config.outputFormat, "--skip-trust"],
  }),
  // It starts itself again as a child and then ignores SIGTERM.
  env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  tools: GEMINI_TOOLS,
  createDialect: () => new GeminiDialect(),
  resuming: { unknown: /Error resuming session/ },
};

export const geminiAdapter = makeCliAdapter(GEMINI);

/** It speaks the protocol instead of taking a prompt. */
export const geminiAcp = makeCliAdapter({
  ...GEMINI,
  commandWords: () => ({ lead: ["--acp", "--skip-trust"] }),
});

// From `--help` of 0.61.0.
const FLAGS = defineFlags({
  nothing: `--accept-raw-output-risk --acp --debug,-d --experimental-acp --help,-h
    --list-extensions,-l --list-sessions --raw-output --sandbox,-s --screen-reader --skip-trust
    --version,-v --yolo,-y`,
  value: `--approval-mode --delete-session --model,-m --output-format,-o --prompt,-p
    --prompt-interactive,-i --session-file --session-id`,
  optional: "--resume,-r --worktree,-w",
  list: `--admin-policy* --allowed-mcp-server-names* --allowed-tools* --extensions,-e*
    --include-directories* --policy*`,
  choices: {
    "--approval-mode": ["default", "auto_edit", "yolo", "plan"],
    "--output-format": ["text", "json", "stream-json"],
  },
});

const mode = modeOf("--approval-mode");

function geminiCapabilities(version: string | null): AgentCapabilities {
  return {
    ...CODING_AGENT,
    flags: flagsOfVersion(FLAGS, version),
    ownFlags: [
      ...["--prompt", "--prompt-interactive", "--output-format", "--skip-trust"],
      ...["--acp", "--experimental-acp"],
    ],
    settings: {
      model: { to: "flag", flag: "--model" },
      system_prompt: { to: "env", name: "GEMINI_SYSTEM_MD", byFile: true },
      permission_mode: {
        to: "modes",
        modes: {
          plan: mode("plan"),
          // Headless, what would be asked for is not offered to the model at all.
          ask: mode("default"),
          allowlist: mode("default"),
          auto: mode("yolo"),
          default: mode("default"),
          auto_edit: mode("auto_edit"),
          yolo: mode("yolo"),
        },
      },
      allowed_tools: { to: "flag", flag: "--allowed-tools" },
      resume: { to: "flag", flag: "--resume" },
      add_dirs: { to: "flag", flag: "--include-directories" },
    },
    outputFormats: ["stream-json", "json", "text"],
    acp: ["--acp"],
  };
}
