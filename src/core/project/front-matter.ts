// A Markdown file split into its front matter and its body. The front matter is YAML and nothing else:
// no other language between the `---` lines is ever run.

import { fault } from "../command/fault.ts";
import { isRecord } from "./json-value.ts";
import { parseYaml, type YamlFile } from "./yaml-file.ts";

/** What stands between the `---` lines, as YAML reads it; or what is left of it. */
export type FrontMatter = Readonly<Record<string, unknown>>;

export interface SplitMarkdown {
  readonly frontMatter: FrontMatter;
  /** Where a key or a value stands in the Markdown file. */
  readonly at: YamlFile["at"];
  readonly body: string;
  /** The file's line on which the body begins, counted from 1. */
  readonly bodyLine: number;
}

const FENCE = /^---[ \t]*$/;

/** Throws `FileInvalid` at the place in the Markdown file. */
export function splitFrontMatter(source: string, file: string): SplitMarkdown {
  const text = source.replace(/^\ufeff/, "");
  const lines = text.split(/\r?\n/);
  if (!FENCE.test(lines[0] ?? "")) return { ...readFrontMatter("", file), body: text, bodyLine: 1 };
  const end = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (end < 0)
    throw fault(
      "FileInvalid",
      { problem: "the front matter does not end: a second line `---` is missing" },
      { where: { file, line: 1, column: 1 } },
    );
  // An empty line stands for the fence, so that places are the file's own.
  const yaml = ["", ...lines.slice(1, end)].join("\n");
  const body = lines.slice(end + 1).join("\n");
  return { ...readFrontMatter(yaml, file), body, bodyLine: end + 2 };
}

function readFrontMatter(yaml: string, file: string): Pick<SplitMarkdown, "frontMatter" | "at"> {
  const { value, at } = parseYaml(yaml, file);
  if (value === null || value === undefined) return { frontMatter: {}, at };
  if (!isRecord(value))
    throw fault(
      "FileInvalid",
      { problem: "the front matter must be a map of keys to values" },
      { where: at([]) },
    );
  return { frontMatter: value, at };
}
