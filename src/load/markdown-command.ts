import { basename } from "node:path";
import type { Command, CommandSummary } from "../command/command.ts";
import { fault } from "../command/fault.ts";
import { readText } from "../config/read-text.ts";
import { readMarkdownName } from "../markdown/file-name.ts";
import { type MarkdownFile, parseMarkdown } from "../markdown/markdown-file.ts";
import type { CommandFile } from "./command-file.ts";
import { showFile } from "./layer-source.ts";

/** An agent has 5 s between SIGTERM and SIGKILL, and its log is wanted all the same. */
const STOP_MS = 8_000;

/** A command whose file is a prompt. */
export async function loadMarkdown(
  file: CommandFile,
  known: CommandSummary | null,
): Promise<Command> {
  const source = readSource(file);
  const markdown = parseSource(source, file);
  const { runMarkdown, explainMarkdown } = file.markdown ?? NOBODY;
  return {
    summary: known ?? markdown.summary,
    args: markdown.args,
    parseArgs: null,
    graceMs: STOP_MS,
    keepsTime: true,
    source,
    run: (args, context) => runMarkdown(markdown, args, context),
    explain: (args, context) => explainMarkdown(markdown, args, context),
  };
}

function readSource({ source, path }: CommandFile): string {
  const shown = showFile(source, path);
  const text = readText(path, shown);
  if (text !== null) return text;
  throw fault("FileInvalid", { problem: "it is gone" }, { where: { file: shown } });
}

function parseSource(text: string, { source, path, name }: CommandFile): MarkdownFile {
  return parseMarkdown(text, {
    name,
    suffix: readMarkdownName(basename(path)).suffix,
    file: showFile(source, path),
    path,
    layerFolder: { shown: source.shown, real: source.folder },
  });
}

/** Where commands are only looked at, for the index, nobody runs one. */
const nobody = (): never => {
  throw new TypeError("nobody here runs Markdown commands");
};
const NOBODY = { runMarkdown: nobody, explainMarkdown: nobody };
