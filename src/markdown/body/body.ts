// What the author wrote, taken apart once. Nothing that is inserted later is ever looked at again.
import type { Template } from "liquidjs";
import { type Fault, fault, type Where } from "../../core/command/fault.ts";
import { mentionsVariable } from "./inline-commands.ts";

/** Where the body begins in its file: the line after the front matter, counted from 1. */
export interface BodyLocation {
  readonly file: string;
  readonly line: number;
}

/** Which part of a file is imported. */
export type ImportPart =
  | { readonly kind: "whole" }
  /** Counted from 1; `to` null is the end of the file. */
  | { readonly kind: "lines"; readonly from: number; readonly to: number | null }
  /** A heading of a Markdown file, or a name declared in TypeScript or JavaScript. */
  | { readonly kind: "section"; readonly name: string };

interface DirectiveBase {
  /** As it stands in the text. */
  readonly written: string;
  readonly where: Where;
  /** It stands in a Liquid block, so it may not be reached, or be reached more than once. */
  readonly isConditional: boolean;
}

export interface FileImport extends DirectiveBase {
  readonly kind: "file";
  /** Begins with `./`, `../`, `~/` or `/`; backslashes still escape. */
  readonly path: string;
  readonly isGlob: boolean;
  readonly part: ImportPart;
}

export interface UrlImport extends DirectiveBase {
  readonly kind: "url";
  readonly url: string;
  readonly part: ImportPart;
}

export interface InlineCommand extends DirectiveBase {
  readonly kind: "command";
  readonly command: string;
}

export type Directive = FileImport | UrlImport | InlineCommand;

/** A variable of the template, which the context has to define. */
export interface UsedVariable {
  readonly name: string;
  readonly where: Where;
}

export interface Body {
  readonly template: readonly Template[];
  /** In order of appearance. */
  readonly directives: readonly Directive[];
  /** First use of each, in order of appearance. */
  readonly variables: readonly UsedVariable[];
  /** Variables in code, where they are text. */
  readonly quoted: readonly UsedVariable[];
  readonly at: BodyLocation;
  /** From a place in the text to a place in the file. */
  readonly locate: (offset: number) => Where;
}

/** The names of the template's variables, in order of appearance. */
export const listVariables = (body: Body): readonly string[] =>
  body.variables.map(({ name }) => name);

/** In the template, or as `$stdin` in an inline command. */
export function mentionsStdin(body: Body): boolean {
  return (
    listVariables(body).includes("stdin") ||
    body.directives.some(
      (directive) => directive.kind === "command" && mentionsVariable(directive.command, "stdin"),
    )
  );
}

export interface BodyEffect {
  readonly kind: "file" | "glob" | "url" | "command";
  /** The command, the address, or the path as it was written. */
  readonly subject: string;
  readonly where: Where;
  /** It may not be reached. */
  readonly isConditional: boolean;
}

/** What a body would do: every import and inline command, in order of appearance. */
export function listEffects(body: Body): readonly BodyEffect[] {
  return body.directives.map((directive) => {
    const { where, isConditional } = directive;
    if (directive.kind === "command")
      return { kind: "command", subject: directive.command, where, isConditional };
    const subject = directive.written.slice(1);
    const kind = directive.kind === "url" ? "url" : directive.isGlob ? "glob" : "file";
    return { kind, subject, where, isConditional };
  });
}

/** A problem of one import, at its place; `problem` continues the import as it was written. */
export const importFault = (
  { written, where }: Pick<FileImport | UrlImport, "written" | "where">,
  problem: string,
  hint: string,
): Fault => fault("FileInvalid", { problem: `\`${written}\` ${problem}` }, { where, hint });
