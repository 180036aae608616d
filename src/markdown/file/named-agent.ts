// `review.md` defines `review`; `review.NAME.md` the same, for the agent that NAME stands for.
import { AGENTS_BY_SEARCH } from "../../agents/roster.ts";

/** What stands for an agent in a file's name, and its name. */
export const AGENT_SUFFIXES: ReadonlyMap<string, string> = new Map(
  AGENTS_BY_SEARCH.flatMap(({ name, aliases }) =>
    (aliases.length === 0 ? [name] : aliases).map((suffix) => [suffix, name] as const),
  ),
);

const MARKDOWN = ".md";

/** The endings a Markdown command's file can have. */
export const MARKDOWN_ENDINGS: readonly string[] = [
  MARKDOWN,
  ...[...AGENT_SUFFIXES.keys()].map((suffix) => `.${suffix}${MARKDOWN}`),
];

interface MarkdownName {
  readonly name: string;
  /** As it stands in the file's name; null where there is none. */
  readonly suffix: string | null;
}

export function readMarkdownName(fileName: string): MarkdownName {
  const stem = fileName.slice(0, -MARKDOWN.length);
  const dot = stem.indexOf(".");
  if (dot < 0) return { name: stem, suffix: null };
  return { name: stem.slice(0, dot), suffix: stem.slice(dot + 1) };
}

export const isMarkdownFile = (fileName: string): boolean => fileName.endsWith(MARKDOWN);

// Which agent runs a Markdown command, and why. Pure.

export type AgentSource =
  | "flag"
  | "environment"
  | "file"
  | "cassette"
  | "name"
  | "session"
  | "settings"
  | "found";

interface NamedAgents {
  /** `--agent` */
  readonly flag: string | null;
  /** `ADJ_AGENT` */
  readonly environment: string | null;
  /** `agent:` of the file. */
  readonly file: string | null;
  readonly hasCassette: boolean;
  /** The agent that the name of the file names. */
  readonly name: string | null;
  readonly session: string | null;
  readonly settings: string | null;
}

interface AgentChoice {
  readonly agent: string;
  readonly source: AgentSource;
}

/** Null where nobody named one: then it is the first that is found. An alias stands for its agent everywhere. */
export function decideAgent(facts: NamedAgents): AgentChoice | null {
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
