// Markdown with front matter, as agents write it: less strict YAML than ours is passed.
import { stringify } from "yaml";
import { Fault } from "../../command/fault.ts";
import { type CutFile, cutFrontMatter } from "../front-matter.ts";
import type { NativeText } from "./native-format.ts";

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

function cutLeniently(text: string, file: string): CutFile {
  try {
    return cutFrontMatter(text, file);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return cutFrontMatter(quoteValues(text), file);
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
