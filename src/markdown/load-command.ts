import { basename } from "node:path";
import type { Command, CommandSummary } from "../core/command/definition.ts";
import { fault } from "../core/command/fault.ts";
import type { Program } from "../core/commands/bundled.ts";
import type { DefinitionFile } from "../core/load/command-file.ts";
import { showFile } from "../core/load/layer-source.ts";
import { readText } from "../core/project/files.ts";
import { type MarkdownFile, parseMarkdown } from "./file/markdown-file.ts";
import { readMarkdownName } from "./file/named-agent.ts";

/** An agent has 5 s between SIGTERM and SIGKILL, and its log is wanted all the same. */
const STOP_MS = 8_000;

/** A command whose file is a prompt. */
export async function loadMarkdownCommand(
  file: DefinitionFile,
  known: CommandSummary | null,
  program: (() => Program) | null,
): Promise<Command> {
  const source = readSource(file);
  const markdown = parseSource(source, file);
  // Where commands are only looked at, for the index, nobody runs one.
  const open = program ?? refuseToRun;
  return {
    summary: known ?? markdown.summary,
    args: markdown.args,
    parseArgs: null,
    graceMs: STOP_MS,
    keepsTime: true,
    source,
    run: async (args, context) => {
      const { runMarkdown } = await import("./commands/run-markdown.ts");
      return runMarkdown(markdown, args, { context, program: open() });
    },
    explain: async (args, context) => {
      const { explainMarkdown } = await import("./commands/explain-markdown.ts");
      return explainMarkdown(markdown, args, { context, program: open() });
    },
  };
}

function readSource({ source, path }: DefinitionFile): string {
  const shown = showFile(source, path);
  const text = readText(path, shown);
  if (text !== null) return text;
  throw fault("FileInvalid", { problem: "it is gone" }, { where: { file: shown } });
}

function parseSource(text: string, { source, path, name }: DefinitionFile): MarkdownFile {
  return parseMarkdown(text, {
    name,
    suffix: readMarkdownName(basename(path)).suffix,
    file: showFile(source, path),
    path,
    layerFolder: { shown: source.shown, real: source.folder, isCopy: source.boundary !== null },
  });
}

const refuseToRun = (): never => {
  throw new TypeError("nobody here runs Markdown commands");
};
