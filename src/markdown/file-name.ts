// `review.md` defines `review`; `review.claude.md` the same, for Claude Code.

/** What stands for an agent in a file's name, and its name. */
export const AGENT_SUFFIXES: ReadonlyMap<string, string> = new Map([
  ["claude", "claude-code"],
  ["codex", "codex"],
  ["gemini", "gemini"],
  ["opencode", "opencode"],
  ["copilot", "copilot"],
  ["qwen", "qwen"],
  ["acp", "acp"],
  ["command", "command"],
  ["replay", "replay"],
]);

const MARKDOWN = ".md";

/** The endings a Markdown command's file can have. */
export const MARKDOWN_ENDINGS: readonly string[] = [
  MARKDOWN,
  ...[...AGENT_SUFFIXES.keys()].map((suffix) => `.${suffix}${MARKDOWN}`),
];

export interface MarkdownName {
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
