import type { Command, CommandSummary } from "../command/command.ts";
import type { CommandContext } from "../command/context.ts";
import type { CommandResult } from "../command/result.ts";
import type { MarkdownFile } from "../markdown/markdown-file.ts";
import type { LayerSource } from "./layer-source.ts";

type MarkdownAct = (
  file: MarkdownFile,
  args: unknown,
  context: CommandContext,
) => Promise<CommandResult>;

/** Markdown commands run agents, which takes the program and not only the context. */
export interface MarkdownPort {
  readonly runMarkdown: MarkdownAct;
  readonly explainMarkdown: MarkdownAct;
}

/** A file that defines one command. */
export interface CommandFile {
  readonly source: LayerSource;
  readonly path: string;
  readonly name: string;
  /** Counts reloads of this process. */
  readonly generation: number;
  readonly libraryUrl: string;
  /** Missing where commands are looked at and never run. */
  readonly markdown?: MarkdownPort | undefined;
}

/** With a summary from the index the file was checked before, as it is now, and is not checked again. */
export type Loader = (file: CommandFile, known: CommandSummary | null) => Promise<Command>;
