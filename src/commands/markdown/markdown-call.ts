import type { CommandContext } from "../../command/context.ts";
import type { InputValue } from "../../markdown/inputs.ts";
import type { CommonArguments } from "../../markdown/markdown-arguments.ts";
import type { MarkdownFile } from "../../markdown/markdown-file.ts";
import type { Program } from "../program.ts";

/** A Markdown command on its way. */
export interface MarkdownCall {
  readonly file: MarkdownFile;
  /** Inputs as they were given, by name. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly common: CommonArguments;
  readonly context: CommandContext;
  readonly program: Program;
  /** Nothing is run and nobody is asked: what is missing stands there by its name. */
  readonly isExplained: boolean;
}

/** Settings, as far as Markdown commands read them. */
export interface CallSettings {
  readonly agent: string | null;
  readonly model: string | null;
  readonly commands: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly importHosts: readonly string[];
}

export type InputValues = Readonly<Record<string, InputValue | null>>;
