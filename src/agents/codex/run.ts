// How Codex CLI is run: its flags by version, its configuration, its command line.
import type { AgentExecutionContext } from "../run/adapter.ts";
import {
  type AgentCapabilities,
  CODING_AGENT,
  defineFlags,
  flagsOfVersion,
  modeOf,
} from "../run/capabilities.ts";
import { type CliAgent, makeCliAdapter } from "../run/cli-adapter.ts";
import type { CommandWords } from "../run/command-line.ts";
import { createCodexDialect } from "./parse.ts";
import { CODEX_TOOLS } from "./tools.ts";

const CODEX: CliAgent = {
  name: "codex",
  codePrefix: "CODEX",
  program: "codex",
  installHint: "npm install -g @openai/codex",
  provider: "openai",
  login: {
    variables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    files: ["$CODEX_HOME|.codex/auth.json"],
    // The configuration may name a provider of its own and the variable with its key.
    possibleFiles: ["$CODEX_HOME|.codex/config.toml"],
    keyFiles: [{ path: "$CODEX_HOME|.codex/config.toml", names: /\benv_key\s*=\s*["'](\w+)["']/g }],
    isOptional: false,
  },
  variablePrefixes: ["CODEX_", "OPENAI_", "AZURE_OPENAI_"],
  capabilities: codexCapabilities,
  commandWords,
  tools: CODEX_TOOLS,
  createDialect: createCodexDialect,
  // 0.166.0 begins a new thread where the id is no UUID, and exits with 0.
  resuming: {
    unknown: /no rollout found/,
    id: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
    countsOn: true,
  },
};

export const codexAdapter = makeCliAdapter(CODEX);

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

const sandbox = modeOf("--sandbox");

function codexCapabilities(version: string | null): AgentCapabilities {
  return {
    ...CODING_AGENT,
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
      effort: { to: "config", flag: "-c", key: "model_reasoning_effort", byFile: false },
      output_schema: { to: "json-file", flag: "--output-schema" },
    },
    strictSchemas: true,
    outputFormats: ["json", "text"],
  };
}

/** Without a network it would wait for ever. As configuration, older versions take it too. */
const UNATTENDED = [
  ...["-c", "features.unbounded_connection_retries=false"],
  ...["-c", "check_for_update_on_startup=false"],
];

function commandWords({ config }: AgentExecutionContext): CommandWords {
  const { outputFormat, settings } = config;
  return {
    lead: [
      "exec",
      ...(outputFormat === "json" ? ["--json"] : ["--color", "never"]),
      "--skip-git-repo-check",
      ...UNATTENDED,
    ],
    // `-` is the prompt on stdin; a resumed session is a subcommand behind all flags.
    tail: settings.resume === undefined ? ["-"] : ["resume", String(settings.resume), "-"],
  };
}

// How Codex's app server is started for a conversation: the same settings as a run's, by configuration alone, because
// it takes none of the flags of `exec` (0.166).

const SERVER_FLAGS = defineFlags({
  nothing: "--strict-config",
  value: "--config,-c* --enable* --disable*",
});

const sandboxMode = (mode: string) => ({
  uses: [{ flag: "-c", value: `sandbox_mode="${mode}"` }],
});

function serverCapabilities(version: string | null): AgentCapabilities {
  const capabilities = codexCapabilities(version);
  return {
    ...capabilities,
    flags: SERVER_FLAGS,
    ownFlags: [],
    prompt: "none",
    outputFormats: ["json"],
    settings: {
      ...capabilities.settings,
      model: { to: "own" },
      // It goes with every turn.
      output_schema: { to: "own" },
      add_dirs: {
        to: "config",
        flag: "-c",
        key: "sandbox_workspace_write.writable_roots",
        byFile: false,
      },
      // Everything is asked about in each of them; what may be done unasked is not among Codex's words.
      permission_mode: {
        to: "modes",
        modes: {
          plan: sandboxMode("read-only"),
          ask: { uses: [] },
          allowlist: { uses: [] },
          auto: sandboxMode("danger-full-access"),
          "read-only": sandboxMode("read-only"),
          "workspace-write": sandboxMode("workspace-write"),
          "danger-full-access": sandboxMode("danger-full-access"),
        },
      },
    },
  };
}

/** Codex as a server: checked and started by the words above, known by the others as in a run. */
export const codexServer = makeCliAdapter({
  ...CODEX,
  capabilities: serverCapabilities,
  commandWords: () => ({
    lead: ["app-server", ...UNATTENDED],
    // What is typed into a terminal that was allowed once is not asked about (0.166), so there are none. The last
    // word counts.
    tail: ["-c", "features.unified_exec_tty=false"],
  }),
});
