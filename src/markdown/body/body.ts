// What the author wrote, taken apart once. Nothing that is inserted later is ever looked at again.
import type { Template } from "liquidjs";
import type { Where } from "../../command/fault.ts";

/** Where the body begins in its file: the line after the front matter, counted from 1. */
export interface BodyPlace {
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

interface At {
  /** As it stands in the text. */
  readonly written: string;
  readonly where: Where;
  /** It stands in a Liquid block, so it may not be reached, or be reached more than once. */
  readonly isConditional: boolean;
}

export interface FileImport extends At {
  readonly kind: "file";
  /** Begins with `./`, `../`, `~/` or `/`; backslashes still escape. */
  readonly path: string;
  readonly isGlob: boolean;
  readonly part: ImportPart;
}

export interface UrlImport extends At {
  readonly kind: "url";
  readonly url: string;
  readonly part: ImportPart;
}

export interface InlineCommand extends At {
  readonly kind: "command";
  readonly command: string;
}

export type Directive = FileImport | UrlImport | InlineCommand;

/** A variable of the template that the world has to define. */
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
  readonly at: BodyPlace;
  /** From a place in the text to a place in the file. */
  readonly locate: (offset: number) => Where;
}
