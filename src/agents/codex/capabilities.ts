import { type AgentCapabilities, flagsOfVersion } from "../capabilities.ts";
import { defineFlags } from "../define-flags.ts";

// From `codex exec --help` of 0.166.0.
const FLAGS = defineFlags({
  nothing: `--approve-for-me --dangerously-bypass-approvals-and-sandbox
    --dangerously-bypass-hook-trust --ephemeral --help,-h --ignore-rules --ignore-user-config --json
    --oss --skip-git-repo-check --strict-config --version,-V --worktree`,
  value: `--add-dir* --cd,-C --color --config,-c* --cyber-access-program --disable* --enable*
    --local-provider --model,-m --output-last-message,-o --output-schema --profile,-p --sandbox,-s
    --thread-source`,
  list: "--image,-i*",
  choices: {
    "--color": ["always", "never", "auto"],
    "--sandbox": ["read-only", "workspace-write", "danger-full-access"],
  },
});

const sandbox = (value: string) => ({ uses: [{ flag: "--sandbox", value }] });

export const codexCapabilities = (version: string | null): AgentCapabilities => ({
  flags: flagsOfVersion(FLAGS, version),
  ownFlags: ["--json", "--skip-git-repo-check", "--color", "--cd"],
  settings: {
    model: { to: "flag", flag: "--model" },
    system_prompt: { to: "config", flag: "-c", key: "model_instructions_file", byFile: true },
    append_system_prompt: {
      to: "config",
      flag: "-c",
      key: "developer_instructions",
      byFile: false,
    },
    permission_mode: {
      to: "modes",
      modes: {
        plan: sandbox("read-only"),
        // Headless nobody answers, so what would be asked for is refused.
        ask: {
          uses: [
            { flag: "--sandbox", value: "read-only" },
            { flag: "-c", value: 'approval_policy="on-request"' },
          ],
        },
        allowlist: sandbox("workspace-write"),
        auto: sandbox("danger-full-access"),
        "read-only": sandbox("read-only"),
        "workspace-write": sandbox("workspace-write"),
        "danger-full-access": sandbox("danger-full-access"),
      },
    },
    resume: { to: "own" },
    add_dirs: { to: "flag", flag: "--add-dir" },
  },
  prompt: "stdin",
  outputFormats: ["json", "text"],
  canResume: true,
  hasHooks: true,
  hasMcp: true,
  acp: null,
  models: null,
});
