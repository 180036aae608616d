// What is known of each CLI's own parser, and values for its settings that it has no reason to refuse.
import fc from "fast-check";
import type { PortableSetting } from "../../../src/agents/run/capabilities.ts";
import type { LabAgent } from "../lab.ts";

export interface Parser {
  readonly agent: LabAgent;
  /** What it says, headless and with nothing to do, once it has accepted its arguments. */
  readonly accepted: RegExp;
  /** The words that make it print all its flags. */
  readonly help: readonly string[];
  /** Flags that its help does not show. */
  readonly hidden: readonly string[];
  readonly runs: number;
  readonly values: Readonly<Partial<Record<PortableSetting, fc.Arbitrary<unknown>>>>;
}

/** Files that are there to be named, from the workspace. */
export const FILES = {
  "servers.json": '{ "mcpServers": {} }',
  "settings.json": '{ "env": {} }',
} as const;

const SESSION = /no (?:conversation|saved session|previous sessions) found|no session.* matched/i;
const orUnknownSession = (pattern: RegExp) =>
  new RegExp(`${pattern.source}|${SESSION.source}`, "i");

// Text as people and templates write it; what looks like a flag, a file, JSON or an assignment.
const text = fc.oneof(
  fc.constantFrom("-x", "--model", "a=b", "@file", '{ "json": 1 }', 'it\'s "quoted" \\ $HOME `id`'),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).filter(isPassable),
  fc.constant(`line\nafter line ${"and on ".repeat(800)}`),
);

/** No argument can hold a NUL; half a surrogate pair is no text. */
function isPassable(value: string): boolean {
  return !value.includes("\0") && value.isWellFormed();
}

const tools = (...names: string[]) => fc.subarray(names, { minLength: 1 });
const servers = fc.constantFrom<unknown>("servers.json", FILES["servers.json"], { mcpServers: {} });
const folders = fc.constantFrom(["."], ["..", "."]);
const turns = fc.integer({ min: 1, max: 10_000 });
const tokens = fc.integer({ min: 1, max: 200_000 });
const effort = fc.constantFrom("low", "medium", "high");
const schema = fc.constant({
  type: "object",
  properties: { approve: { type: "boolean" } },
  required: ["approve"],
  additionalProperties: false,
});

export const PARSERS: readonly Parser[] = [
  {
    agent: "claude-code",
    accepted: orUnknownSession(/Input must be provided either through stdin/),
    help: ["--help"],
    hidden: ["--append-system-prompt-file", "--max-turns", "--system-prompt-file"],
    runs: 25,
    values: {
      agent_name: fc.constantFrom("general-purpose", "Explore"),
      model: fc.constantFrom("opus", "claude-sonnet-5", "us.anthropic.claude-opus-5-5", "opus[1m]"),
      system_prompt: text,
      append_system_prompt: text,
      allowed_tools: tools("Read", "Bash(git:*)", "Bash(npm run test:*)", "mcp__server__tool"),
      disallowed_tools: tools("WebFetch", "Bash(rm:*)", "Edit"),
      max_tokens: tokens,
      max_turns: turns,
      mcp_config: servers,
      settings: fc.constantFrom<unknown>("settings.json", FILES["settings.json"], { env: {} }),
      resume: fc.uuid(),
      add_dirs: folders,
      effort,
      output_schema: schema,
    },
  },
  {
    agent: "codex",
    accepted: /No prompt provided via stdin/,
    help: ["exec", "--help"],
    hidden: [],
    runs: 25,
    values: {
      model: fc.constantFrom("gpt-5.5", "some/other-model"),
      system_prompt: text,
      append_system_prompt: text,
      resume: fc.uuid(),
      add_dirs: folders,
      effort,
      output_schema: schema,
    },
  },
  {
    agent: "gemini",
    accepted: orUnknownSession(/No input provided via stdin/),
    help: ["--help"],
    hidden: [],
    runs: 14,
    values: {
      model: fc.constantFrom("gemini-2.5-flash", "models/other"),
      system_prompt: text,
      allowed_tools: tools("run_shell_command(git)", "write_file", "read_file"),
      resume: fc.uuid(),
      add_dirs: folders,
    },
  },
  {
    agent: "opencode",
    accepted: /You must provide a message or a command/,
    help: ["run", "--help"],
    hidden: [],
    runs: 14,
    values: {
      agent_name: fc.constant("build"),
      model: fc.constantFrom("sim/sim-model", "anthropic/claude-opus-5-5"),
      max_tokens: tokens,
      resume: fc.constant("ses_e1e606076ffe2823bH8eG4PCHt"),
      effort,
    },
  },
  {
    agent: "copilot",
    accepted: orUnknownSession(/No prompt provided/),
    help: ["--help"],
    hidden: [],
    runs: 20,
    values: {
      agent_name: fc.constant("reviewer"),
      model: fc.constantFrom("sim-model", "gpt-5.5"),
      allowed_tools: tools("shell(git:*)", "write", "server(tool)"),
      disallowed_tools: tools("shell(rm:*)", "write"),
      mcp_config: servers,
      resume: fc.uuid(),
      add_dirs: folders,
      effort,
    },
  },
  {
    agent: "qwen",
    accepted: orUnknownSession(/No input provided via stdin/),
    help: ["--help"],
    hidden: [],
    runs: 14,
    values: {
      model: fc.constantFrom("sim-model", "qwen3-coder"),
      system_prompt: text,
      append_system_prompt: text,
      allowed_tools: tools("run_shell_command(git)", "write_file"),
      disallowed_tools: tools("web_fetch", "run_shell_command(rm)"),
      max_turns: turns,
      mcp_config: servers,
      resume: fc.uuid(),
      add_dirs: folders,
      output_schema: schema,
    },
  },
];
