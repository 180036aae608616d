import type { Context, Emitter } from "liquidjs";
import { joinWords } from "../../../command/words.ts";
import type { Directive } from "../body.ts";

/** Text, or a directive that was reached, with the variables as they were there. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "directive";
      readonly directive: Directive;
      readonly scope: Readonly<Record<string, unknown>>;
    };

const MOST_CHARACTERS = 64 * 1024 * 1024;
const MOST_DIRECTIVES = 1_000;

/** Where Liquid writes: text stays apart from directives, so that neither can be taken for the other. */
export class PartList implements Emitter {
  /** Liquid wants one; nothing reads it. */
  readonly buffer = "";
  readonly parts: Part[] = [];
  #text: string[] = [];
  #characters = 0;
  #directives = 0;

  write(value: unknown): void {
    const text = printValue(value);
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS) throw new Error("the body grows past 64 MB");
    this.#text.push(text);
  }

  reach(directive: Directive, context: Context): void {
    this.#directives += 1;
    if (this.#directives > MOST_DIRECTIVES)
      throw new Error(`the body reaches more than ${MOST_DIRECTIVES} imports and commands`);
    this.#endText();
    this.parts.push({ kind: "directive", directive, scope: { ...context.getAll() } });
  }

  finish(): readonly Part[] {
    this.#endText();
    return this.parts;
  }

  #endText(): void {
    if (this.#text.length > 0) this.parts.push({ kind: "text", text: this.#text.join("") });
    this.#text = [];
  }
}

/** A list prints as words of a shell: what has a blank in it stays one word. */
export function printValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return joinWords(value.map(printValue));
  throw new Error("the body shows a value that has parts, such as `git` without `.branch`");
}
