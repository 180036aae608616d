// Which agent runs a Markdown command, and why. Pure.
import { AGENT_SUFFIXES } from "./file-name.ts";

export type AgentSource =
  | "flag"
  | "environment"
  | "file"
  | "cassette"
  | "name"
  | "session"
  | "settings"
  | "found";

export interface AgentFacts {
  /** `--agent` */
  readonly flag: string | null;
  /** `ADJ_AGENT` */
  readonly environment: string | null;
  /** `agent:` of the file. */
  readonly file: string | null;
  readonly hasCassette: boolean;
  /** `review.claude.md` */
  readonly name: string | null;
  readonly session: string | null;
  readonly settings: string | null;
}

export interface AgentChoice {
  readonly agent: string;
  readonly source: AgentSource;
}

/** Null where nobody named one: then it is the first that is found. `claude` is `claude-code` everywhere. */
export function decideAgent(facts: AgentFacts): AgentChoice | null {
  const named: readonly (readonly [AgentSource, string | null])[] = [
    ["flag", facts.flag],
    ["environment", facts.environment],
    ["file", facts.file],
    ["cassette", facts.hasCassette ? "replay" : null],
    ["name", facts.name],
    ["session", facts.session],
    ["settings", facts.settings],
  ];
  for (const [source, agent] of named)
    if (agent !== null && agent !== "")
      return { agent: AGENT_SUFFIXES.get(agent) ?? agent, source };
  return null;
}

export const AGENT_REASONS: Readonly<Record<AgentSource, string>> = {
  flag: "`--agent` names it",
  environment: "`ADJ_AGENT` names it",
  file: "the file names it",
  cassette: "the file names a cassette",
  name: "the file's name says so",
  session: "it is this session's agent",
  settings: "the settings name it",
  found: "it is the first one found on this machine",
};
