// The keys of front matter that are Adjutant's. All others are flags of the agent.
import type { PortableSetting } from "../agents/capabilities.ts";

export type SettingName = PortableSetting | "output_format";

/** Translated by the agent's adapter, so that they mean the same for every agent. */
export const SETTING_KEYS: ReadonlyMap<string, SettingName> = new Map<string, SettingName>([
  ["agent-name", "agent_name"],
  ["model", "model"],
  ["system-prompt", "system_prompt"],
  ["append-system-prompt", "append_system_prompt"],
  ["permission", "permission_mode"],
  ["allowed-tools", "allowed_tools"],
  ["denied-tools", "disallowed_tools"],
  ["max-tokens", "max_tokens"],
  ["temperature", "temperature"],
  ["max-turns", "max_turns"],
  ["resume", "resume"],
  ["output-format", "output_format"],
]);

/** Lists by nature: one value is a list of one. */
export const LIST_SETTINGS: ReadonlySet<SettingName> = new Set<SettingName>([
  "allowed_tools",
  "disallowed_tools",
]);

/** Numbers by nature: on a command line they are text. */
export const NUMBER_SETTINGS: ReadonlySet<SettingName> = new Set<SettingName>([
  "max_tokens",
  "temperature",
  "max_turns",
]);

/** What the command is and how it is run; no agent hears of it. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...["adjutant", "description", "version", "aliases", "category", "argument-hint", "examples"],
  ...["effect", "safety", "critical", "inputs", "args", "context_window"],
  ...["agent", "cassette", "timeout", "cwd", "inherit-env"],
  ...["pre", "before", "post", "after", "post_optional"],
]);

/** Fields that one agent has and no other: not for the others, and no flags of theirs either. */
export const AGENT_FIELDS: ReadonlySet<string> = new Set([
  "argv",
  "offer-files",
  "cassette",
  "pace",
]);

export const isOwnKey = (key: string): boolean => OWN_KEYS.has(key);

/** A template may show these and never takes them away from the command. */
export const isAdjutantKey = (key: string): boolean =>
  OWN_KEYS.has(key) || SETTING_KEYS.has(key) || key === "env";
