// Claude Code's commands and skills, as 2.1.325 reads them.
import { join } from "node:path";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import {
  foldersBelow,
  type NativeFormat,
  type NativePart,
  type ReadBody,
  textPart,
} from "../native/format.ts";
import {
  type FoundPart,
  printMarkdown,
  readDollarCommand,
  readDollars,
  readMarkdown,
} from "../native/markdown-text.ts";
import { agentHome, type InstallContext, type InstallScope } from "../steps/installer.ts";

const homeOf = (scope: InstallScope, target: InstallContext): string =>
  scope === "project"
    ? join(target.root, ".claude")
    : agentHome(target, "CLAUDE_CONFIG_DIR", ".claude");

export const claudeCodeFormat: NativeFormat = {
  agent: "claude-code",
  takes: "words",
  keys: new Map([
    ["description", "description"],
    ["argument-hint", "argument-hint"],
  ]),
  ownKeys: new Map([
    ["model", "model"],
    ["allowed-tools", "allowed-tools"],
    ["denied-tools", "disallowed-tools"],
  ]),
  personOnly: { "disable-model-invocation": true },
  markLine: 1,
  ...foldersBelow(homeOf),
  fileOf: (name) => `${name}.md`,
  sourcesOf: (scope, target) => {
    const home = homeOf(scope, target);
    return [
      { folder: join(home, "commands"), layout: "files", ending: ".md", read: readMarkdown },
      { folder: join(home, "skills"), layout: "skills", ending: "", read: readMarkdown },
    ];
  },
  print: printMarkdown,
  printBody,
  readBody,
};

/** A backslash takes the meaning from a placeholder; from nothing else. */
function printBody(parts: readonly NativePart[]): string {
  const printed = parts.map((part, at) => {
    if (part.kind === "text") return part.text.replaceAll(/\$(?=\d|ARGUMENTS)/g, "\\$");
    if (part.kind !== "word") return "$ARGUMENTS";
    const next = parts[at + 1];
    // `$0th` is no placeholder.
    const isGlued = next?.kind === "text" && /^\w/.test(next.text);
    return isGlued ? `$ARGUMENTS[${part.at}]` : `$${part.at}`;
  });
  return printed.join("");
}

const SHELL = "```!\\s*\\n?(?<block>[\\s\\S]*?)\\n?```|(?<=^|\\s)!`(?<inline>[^`]+)`";
const WORDS = "\\$ARGUMENTS\\[(?<index>\\d+)\\]|\\$(?<number>\\d+)(?!\\w)|(?<all>\\$ARGUMENTS)";
const OTHERS =
  '(?<variable>\\$\\{CLAUDE_\\w+\\})|(?<![\\w`])@(?<file>"[^"\\n]+"|[^\\s`"\'$]*[\\p{L}\\p{N}_/])';

function readBody(body: string, fields: FrontMatter): ReadBody {
  const names = listNames(fields.arguments);
  const named = names.map((name) => `${name}(?![\\[\\w])`).join("|");
  const meaning = ["\\d", "ARGUMENTS", ...(named === "" ? [] : [named])].join("|");
  const own = named === "" ? "" : `|\\$(?<name>${named})`;
  const pattern = `(?<escaped>(?<!\\\\)\\\\\\$(?=${meaning}))|${SHELL}${own}|${WORDS}|${OTHERS}`;
  return readDollars(body, new RegExp(pattern, "gmu"), (groups, written): FoundPart => {
    const { escaped, block, inline, name, index, number, all, variable, file } = groups;
    const command = block ?? inline;
    if (escaped !== undefined) return { part: textPart("$") };
    if (command !== undefined) return readDollarCommand(written, command);
    if (all !== undefined) return { part: { kind: "all" } };
    if (variable !== undefined) return { part: textPart(written), problem: `\`${variable}\`` };
    if (file !== undefined)
      return { part: { kind: "file", path: file.replaceAll('"', ""), written } };
    const at = name === undefined ? Number(index ?? number) : names.indexOf(name);
    return { part: { kind: "word", at } };
  });
}

/** A list, or words in one string. */
function listNames(value: unknown): string[] {
  const given: unknown[] = Array.isArray(value) ? value : String(value ?? "").split(/[\s,]+/);
  return given.map(String).filter((name) => /^[A-Za-z_]\w*$/.test(name));
}
