// Markdown with front matter, as agents write it: less strict YAML than ours is passed.
import { join } from "node:path";
import { stringify } from "yaml";
import { Fault } from "../../core/command/fault.ts";
import { type SplitMarkdown, splitFrontMatter } from "../../core/project/front-matter.ts";
import {
  couldBeCompleted,
  joinTextParts,
  type NativeFormat,
  type NativePart,
  type NativeSource,
  type NativeText,
  type ReadBody,
  textPart,
} from "./format.ts";

/** Strings stand in quotes: every reader of YAML, also a small one, then agrees on them. */
export function printMarkdown({ fields, body }: NativeText): string {
  const yaml = stringify(fields, {
    lineWidth: 0,
    defaultKeyType: "PLAIN",
    defaultStringType: "QUOTE_DOUBLE",
  });
  return `---\n${yaml}---\n${body}`;
}

/** Throws `FileInvalid` where not even its lines can be told apart. */
export function readMarkdown(text: string, file: string): NativeText {
  const { frontMatter, body } = cutLeniently(text, file);
  return { fields: frontMatter, body };
}

function cutLeniently(text: string, file: string): SplitMarkdown {
  try {
    return splitFrontMatter(text, file);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return splitFrontMatter(quoteValues(text), file);
  }
}

const PLAIN_LINE = /^([A-Za-z_][\w-]*):[ \t]+([^"'|>\s].*)$/;

/** `argument-hint: [a] [b]` and `description: a: b` are no YAML, and the agents read them all the same. */
function quoteValues(text: string): string {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const end = lines.findIndex((line, at) => at > 0 && /^---[ \t]*$/.test(line));
  return lines
    .map((line, at) => {
      const [, key, value] = at < end ? (PLAIN_LINE.exec(line) ?? []) : [];
      return value === undefined ? line : `${key}: ${JSON.stringify(value.trim())}`;
    })
    .join("\n");
}

/** A skill is a folder with this file, whose text reaches the model as it is, beside the line that was typed. */
export const SKILL_FILE = "SKILL.md";

/** No placeholder is filled in: the model is told what stands in this place. */
const TYPED = "[the words that the user gave with this skill]";

/** What all agents that only know skills have in common. */
export const SKILLS: Pick<
  NativeFormat,
  | "takes"
  | "keys"
  | "ownKeys"
  | "personOnly"
  | "markLine"
  | "fileOf"
  | "print"
  | "printBody"
  | "readBody"
> = {
  takes: "line",
  keys: new Map([
    ["name", "name"],
    ["description", "description"],
  ]),
  ownKeys: new Map(),
  personOnly: null,
  markLine: 1,
  fileOf: (name) => join(name, SKILL_FILE),
  print: printMarkdown,
  printBody: (parts: readonly NativePart[]) =>
    parts.map((part) => (part.kind === "text" ? part.text : TYPED)).join(""),
  readBody: (body: string) => ({
    parts: joinTextParts(
      body
        .split(TYPED)
        .flatMap((text, at): NativePart[] =>
          at === 0 ? [textPart(text)] : [{ kind: "all" }, textPart(text)],
        ),
    ),
    problems: [],
  }),
};

export const skillSource = (folder: string): NativeSource => ({
  folder,
  layout: "skills",
  ending: "",
  read: readMarkdown,
});

// The placeholders of Gemini CLI and Qwen Code: `{{args}}`, `!{command}`, `@{file}`; nothing escapes them
// (gemini 0.61, qwen 0.24.4).

const ARGS = "{{args}}";

export const printBraces = (parts: readonly NativePart[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : ARGS)).join("");

export function readBraces(body: string): ReadBody {
  const parts: NativePart[] = [];
  const problems: string[] = [];
  const opening = /\{\{args\}\}|[!@]\{/g;
  let at = 0;
  for (let found = opening.exec(body); found !== null; found = opening.exec(body)) {
    parts.push(textPart(body.slice(at, found.index)));
    at = found[0] === ARGS ? opening.lastIndex : findEnd(body, opening.lastIndex);
    opening.lastIndex = at;
    if (found[0] === ARGS) parts.push({ kind: "all" });
    else addDirective(body.slice(found.index, at), { parts, problems });
  }
  parts.push(textPart(body.slice(at)));
  return { parts: joinTextParts(parts), problems };
}

/** Braces are counted, as the agents do; one that is never closed reaches to the end. */
function findEnd(body: string, from: number): number {
  let open = 1;
  for (let at = from; at < body.length; at++) {
    if (body.charAt(at) === "{") open += 1;
    else if (body.charAt(at) === "}") open -= 1;
    if (open === 0) return at + 1;
  }
  return body.length;
}

function addDirective(
  written: string,
  { parts, problems }: { readonly parts: NativePart[]; readonly problems: string[] },
): void {
  const content = written.slice(2, -1).trim();
  const problem = findDirectiveProblem(written, content);
  if (problem !== null) {
    problems.push(problem);
    parts.push(textPart(written));
  } else if (written.startsWith("!")) parts.push({ kind: "command", command: content, written });
  else parts.push({ kind: "file", path: content, written });
}

function findDirectiveProblem(written: string, content: string): string | null {
  if (!written.endsWith("}")) return `\`${written.slice(0, 2)}\` is not closed`;
  if (content === "") return `\`${written}\` is empty`;
  if (content.includes(ARGS)) return `\`${ARGS}\` within \`${written}\``;
  return /[!@]\{/.test(content) ? `one directive within another: \`${written}\`` : null;
}

// Reads bodies whose placeholders begin with `$`: what Claude Code and opencode have in common.

/** What was found at one place; `problem` says what the part does not. */
export interface FoundPart {
  readonly part: NativePart;
  readonly problem?: string;
}

/** Where the pattern matches, `read` says what stands there; all else is text. */
export function readDollars(
  body: string,
  pattern: RegExp,
  read: (groups: Readonly<Record<string, string | undefined>>, written: string) => FoundPart,
): ReadBody {
  const parts: NativePart[] = [];
  const problems: string[] = [];
  let at = 0;
  for (const match of body.matchAll(pattern)) {
    const { part, problem } = read(match.groups ?? {}, match[0]);
    parts.push(textPart(body.slice(at, match.index)), part);
    if (problem !== undefined) problems.push(problem);
    at = match.index + match[0].length;
  }
  const joined = joinTextParts([...parts, textPart(body.slice(at))]);
  if (couldBeCompleted(joined)) problems.push("what is typed could complete a directive");
  return { parts: joined, problems };
}

const PLACEHOLDER = /\$(?:\d|ARGUMENTS)/;

/** A command that typed text would be pasted into is not one that can be carried over. */
export function readDollarCommand(written: string, command: string): FoundPart {
  const mark = PLACEHOLDER.exec(command)?.[0];
  if (mark !== undefined)
    return { part: textPart(written), problem: `\`${mark}\` within \`${written}\`` };
  return { part: { kind: "command", command: command.trim(), written } };
}
