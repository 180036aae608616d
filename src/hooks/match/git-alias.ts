// What a word behind `git` stands for where it is an alias, by the files that git keeps its settings in. Git itself is not
// asked: a rule is matched without starting a program.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import { analyzeLine } from "../../core/shell/analyze-line.ts";
import { GIT_SUBCOMMANDS } from "../../core/shell/git/subcommands.ts";
import { expandGitAlias, type GitCall, readGitCall } from "../../core/shell/git-call.ts";
import { classifyCommand } from "../../core/shell/safety.ts";
import type { LineAnalysis, SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";

const MAX_FILE_BYTES = 1 << 20;
const MAX_FILES = 40;
const MAX_ALIASES = 4;

interface AliasReading {
  /** What runs behind the line's aliases, each a line of its own. */
  readonly lines: readonly LineAnalysis[];
  /** A word that may be an alias of which nobody can say what it stands for; null where there is none. */
  readonly hidden: string | null;
}

export function readGitAliases(line: LineAnalysis, subject: StepSubject): AliasReading {
  const lines: LineAnalysis[] = [];
  let hidden: string | null = null;
  const rest: (readonly [LineAnalysis, number])[] = [[line, 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [each, depth] = next;
    for (const command of each.commands) {
      const call = readGitCall(command);
      const name = call?.subcommand ?? "";
      if (call === null || name === "" || GIT_SUBCOMMANDS.has(name)) continue;
      const found = depth < MAX_ALIASES ? findAlias(call, command, subject) : null;
      if (found === null || (found.length === 0 && writesElsewhere(line, command))) hidden ??= name;
      for (const alias of found ?? []) {
        const behind = analyzeLine(expandGitAlias(alias, call.args));
        lines.push(behind);
        rest.push([behind, depth + 1]);
      }
    }
  }
  return { lines, hidden };
}

/** What is not known yet may be made by another command of the line. */
const writesElsewhere = ({ commands }: LineAnalysis, { text }: SimpleCommand): boolean =>
  commands.some(
    (other) =>
      other.form !== "base-name" &&
      other.text !== text &&
      classifyCommand(other, AGENT_PROGRAMS) !== "read_only",
  );

/** Everything that an alias of this name is set to in any file that git may read; null where that cannot be known. */
function findAlias(
  { subcommand, folders, hiding, isElsewhere }: GitCall,
  command: SimpleCommand,
  { envelope, home }: StepSubject,
): string[] | null {
  const [start, another] = command.folders;
  if (hiding !== null || isElsewhere || start === undefined || start === null) return null;
  if (another !== undefined || subcommand === null) return null;
  const folder = resolve(envelope.cwd, start.replace(/^~(?=\/|$)/, home), ...folders);
  const files = [
    "/etc/gitconfig",
    join(home, ".config/git/config"),
    join(home, ".gitconfig"),
    ...repositoryFiles(folder),
  ];
  const found: string[] = [];
  for (let index = 0; index < files.length; index++) {
    const file = files[index] ?? "";
    const text = index < MAX_FILES ? readIfThere(file) : null;
    if (text === null) return null;
    for (const { section, key, value } of readEntries(text)) {
      if (/^include(if\b.*)?$/i.test(section) && key === "path")
        files.push(resolve(dirname(file), value.replace(/^~(?=\/)/, home)));
      const isPlain = section.toLowerCase() === "alias" && key === subcommand.toLowerCase();
      if (isPlain || (section === `alias ${subcommand}` && key === "command")) found.push(value);
    }
  }
  return found;
}

/** Null where there is one that cannot be read whole. */
function readIfThere(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    return text.length > MAX_FILE_BYTES ? null : text;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR" ? "" : null;
  }
}

/** The settings of the repository that the folder is in; a second worktree has those of the first, and its own. */
function repositoryFiles(folder: string): string[] {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, ".git");
    const link = /^gitdir: (.+)$/m.exec(readIfThere(git) ?? "")?.[1];
    const own = link === undefined ? git : resolve(at, link);
    const common = readIfThere(join(own, "commondir"))?.trim() || ".";
    const shared = resolve(own, common);
    if (readIfThere(join(own, "HEAD")) !== "")
      return [join(shared, "config"), join(own, "config.worktree")];
    if (at === dirname(at)) return [];
  }
}

interface ConfigEntry {
  /** The name, a blank and the part in quotes where there is one. */
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

const HEADER = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const ENTRY = /^\s*([A-Za-z][\w-]*)\s*(?:=(.*))?$/s;

function readEntries(text: string): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  let section = "";
  // A line that ends with a backslash goes on in the next.
  for (const line of text.replace(/\\\r?\n/g, "").split("\n")) {
    const header = HEADER.exec(line);
    if (header !== null) {
      const part = header[2]?.replace(/\\(.)/g, "$1");
      section = part === undefined ? (header[1] ?? "") : `${header[1]?.toLowerCase()} ${part}`;
    }
    const entry = ENTRY.exec(header === null ? line : line.slice(header[0].length));
    if (entry !== null)
      entries.push({ section, key: (entry[1] ?? "").toLowerCase(), value: readValue(entry[2]) });
  }
  return entries;
}

/** Without quotes and comments; what a backslash makes of a letter matters to no alias. */
function readValue(text = "true"): string {
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\\") value += text[++at] ?? "";
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else value += char;
  }
  return value.trim();
}
