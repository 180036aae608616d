// One walk over the author's text, from left to right. Code is text, a backslash makes text, and what
// remains of `{{ }}`, `{% %}`, `@path` and !`command` are directives.
import { fault, type Where } from "../../core/command/fault.ts";
import type { Directive, UsedVariable } from "./body.ts";
import { countTicks, createSpanFinder, findFenceEnd } from "./code.ts";
import { type DirectiveReading, readImport, readInlineCommand } from "./directives.ts";
import { type LiquidReading, readLiquid, type Wrong } from "./liquid.ts";

const SPECIAL = /[\\`@!{\n]/g;
/** Of a text in which nothing but Liquid has a meaning. */
const SPECIAL_IN_TEMPLATE = /[\\{]/g;
// What may stand before an `@` or a `!`: blanks, an opening bracket or quote, the end of a tag.
const BEFORE = /[\s([{<>"']/;
const BLOCKS = new Set(["if", "unless", "for", "case", "tablerow", "capture"]);

const OUTPUT = /\{\{-?\s*([A-Za-z][\w-]*)/g;

export interface Scanned {
  readonly pieces: readonly Piece[];
  /** Variables in code, which stay as they are written. */
  readonly quoted: readonly UsedVariable[];
}

/** Throws a fault at the first directive that cannot be read. */
export function scanBody(text: string, locate: (offset: number) => Where): Scanned {
  return new BodyScan(text, locate, SPECIAL).run();
}

/** The same for a text that is no Markdown: code, imports and inline commands mean nothing in it. */
export function scanTemplate(text: string, locate: (offset: number) => Where): readonly Piece[] {
  return new BodyScan(text, locate, SPECIAL_IN_TEMPLATE).run().pieces;
}

class BodyScan {
  readonly #text: string;
  readonly #locate: (offset: number) => Where;
  readonly #special: RegExp;
  readonly #list = new PieceList();
  readonly #quoted: UsedVariable[] = [];
  readonly #findSpan: ReturnType<typeof createSpanFinder>;
  /** The Liquid blocks that are open here, by name. */
  readonly #blocks: string[] = [];
  #at = 0;
  /** Where the last directive ended, or the text began: another may follow without a blank. */
  #edge = 0;

  constructor(text: string, locate: (offset: number) => Where, special: RegExp) {
    this.#text = text;
    this.#locate = locate;
    this.#special = special;
    this.#findSpan = createSpanFinder(text);
  }

  run(): Scanned {
    this.#takeFence();
    while (this.#at < this.#text.length) {
      this.#special.lastIndex = this.#at;
      const special = this.#special.exec(this.#text);
      this.#takeText(special?.index ?? this.#text.length);
      if (special !== null) this.#takeSpecial(special[0]);
    }
    return { pieces: this.#list.finish(), quoted: this.#quoted };
  }

  #takeSpecial(char: string): void {
    if (char === "\n") this.#takeLineEnd();
    else if (char === "\\") this.#takeEscape();
    else if (char === "`") this.#takeCode();
    else if (char === "{") this.#takeLiquid();
    else this.#takeDirective(this.#mayBegin() ? this.#readDirective(char) : null);
  }

  #takeText(end: number): void {
    this.#list.addText(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  #takeLineEnd(): void {
    this.#takeText(this.#at + 1);
    this.#takeFence();
  }

  #takeFence(): void {
    if (this.#special !== SPECIAL) return;
    const end = findFenceEnd(this.#text, this.#at);
    if (end !== null) this.#quoteText(end);
  }

  #takeEscape(): void {
    const isLiquid = ESCAPED_LIQUID.test(this.#text.slice(this.#at, this.#at + 4));
    if (this.#special !== SPECIAL && !isLiquid) {
      this.#takeText(this.#at + 1);
      return;
    }
    const { text, end } = readEscape(this.#text, this.#at);
    this.#list.addText(text);
    this.#at = end;
    if (text === "\\") this.#edge = end;
  }

  #takeCode(): void {
    const span = this.#findSpan(this.#at);
    const ticks = countTicks(this.#text, this.#at);
    if (span === null) this.#takeText(this.#at + ticks);
    else this.#quoteText(span.close + ticks);
  }

  #quoteText(end: number): void {
    const code = this.#text.slice(this.#at, end);
    for (const { index, 1: name = "" } of code.matchAll(OUTPUT))
      this.#quoted.push({ name, where: this.#locate(this.#at + index) });
    this.#takeText(end);
  }

  #takeLiquid(): void {
    const reading = readLiquid(this.#text, this.#at);
    if (reading?.kind === "wrong") throw this.#fault(reading);
    if (reading === null) this.#takeText(this.#at + 1);
    else this.#addLiquid(reading);
  }

  #addLiquid(reading: Exclude<LiquidReading, Wrong>): void {
    if (reading.kind === "unread") this.#list.addUnread(reading);
    else {
      this.#list.addLiquid(this.#text.slice(this.#at, reading.end), this.#at);
      this.#followBlock(reading.name);
    }
    this.#at = reading.end;
    this.#edge = reading.end;
  }

  #followBlock(name: string): void {
    if (BLOCKS.has(name)) this.#blocks.push(name);
    else if (name.startsWith("end") && BLOCKS.has(name.slice(3))) this.#blocks.pop();
  }

  #mayBegin(): boolean {
    return this.#at === this.#edge || BEFORE.test(this.#text.charAt(this.#at - 1));
  }

  #readDirective(char: string): DirectiveReading | null {
    if (char === "@") return readImport(this.#text, this.#at);
    return readInlineCommand(this.#text, this.#at, this.#findSpan);
  }

  #takeDirective(reading: DirectiveReading | null): void {
    if (reading?.kind === "wrong") throw this.#fault(reading);
    if (reading === null) this.#takeText(this.#at + 1);
    else this.#addDirective(reading);
  }

  #addDirective(reading: Exclude<DirectiveReading, Wrong>): void {
    const offset = this.#at;
    const written = this.#text.slice(offset, reading.end);
    if (this.#blocks.includes("capture")) throw this.#fault(capturedAt(offset, written));
    const where = this.#locate(offset);
    const isConditional = this.#blocks.length > 0;
    this.#list.addDirective({ ...reading.core, written, where, isConditional }, offset);
    this.#at = reading.end;
    this.#edge = reading.end;
  }

  #fault({ offset, problem, hint }: Wrong) {
    return fault("FileInvalid", { problem }, { where: this.#locate(offset), hint });
  }
}

const capturedAt = (offset: number, written: string): Wrong => ({
  kind: "wrong",
  offset,
  problem: `\`${written}\` stands in \`{% capture %}\``,
  hint: "put it where it is to appear: what is inserted cannot be worked on",
});

/** A stretch of the author's text, by what becomes of it. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** A Liquid tag or output, for Liquid to read. */
  | { readonly kind: "liquid"; readonly text: string; readonly offset: number }
  | { readonly kind: "directive"; readonly directive: Directive; readonly offset: number };

/** Collects pieces: neighbouring text becomes one, and Liquid's dashes trim the text beside them. */
class PieceList {
  readonly pieces: Piece[] = [];
  #text: string[] = [];
  #trimsNext = false;

  addText(text: string): void {
    if (text === "") return;
    const kept = this.#trimsNext ? text.trimStart() : text;
    if (kept === "") return;
    this.#trimsNext = false;
    this.#text.push(kept);
  }

  addLiquid(text: string, offset: number): void {
    this.#endText(text.startsWith("-", 2));
    this.pieces.push({ kind: "liquid", text, offset });
    this.#trimsNext = text.startsWith("-", text.length - 3);
  }

  addDirective(directive: Directive, offset: number): void {
    this.#endText(false);
    this.#trimsNext = false;
    this.pieces.push({ kind: "directive", directive, offset });
  }

  /** Text as it is between two tags that are gone; their outer dashes trim, the inner ones do not. */
  addUnread({ open, text, close }: { open: string; text: string; close: string }): void {
    this.#endText(open.startsWith("-", 2));
    if (text !== "") this.pieces.push({ kind: "text", text });
    this.#trimsNext = close.startsWith("-", close.length - 3);
  }

  finish(): readonly Piece[] {
    this.#endText(false);
    return this.pieces;
  }

  #endText(isTrimmed: boolean): void {
    const text = this.#text.join("");
    this.#text = [];
    const kept = isTrimmed ? text.trimEnd() : text;
    if (kept !== "") this.pieces.push({ kind: "text", text: kept });
  }
}

interface Escape {
  /** What it stands for. */
  readonly text: string;
  readonly end: number;
}

const ESCAPED_LIQUID = /^\\\\?\{[{%]/;
const DIRECTIVE = /^(?:@|\{[{%]|!`)/;

/** What a backslash makes of what follows it. */
function readEscape(text: string, at: number): Escape {
  const next = text.slice(at + 1, at + 4);
  if (next.startsWith("@")) return { text: "@", end: at + 2 };
  if (next.startsWith("{{") || next.startsWith("{%"))
    return { text: next.slice(0, 2), end: at + 3 };
  // The code span behind it stays code.
  if (next.startsWith("!`")) return { text: "!", end: at + 2 };
  if (next.startsWith("`")) return { text: "\\`", end: at + 2 };
  if (!next.startsWith("\\")) return { text: "\\", end: at + 1 };
  // Twice is the character itself where once would escape; anywhere else both are text.
  return { text: DIRECTIVE.test(next.slice(1)) ? "\\" : "\\\\", end: at + 2 };
}
