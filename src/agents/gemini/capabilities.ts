import { type AgentCapabilities, flagsOfVersion } from "../capabilities.ts";
import { defineFlags } from "../define-flags.ts";

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

const mode = (value: string) => ({ uses: [{ flag: "--approval-mode", value }] });

export const geminiCapabilities = (version: string | null): AgentCapabilities => ({
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
  prompt: "stdin",
  outputFormats: ["stream-json", "json", "text"],
  canResume: true,
  hasHooks: true,
  hasMcp: true,
  acp: ["--acp"],
  models: null,
});
