// One walk over the author's text, from left to right. Code is text, a backslash makes text, and what
// remains of `{{ }}`, `{% %}`, `@path` and !`command` are directives.
import { fault, type Where } from "../../../command/fault.ts";
import type { UsedVariable } from "../body.ts";
import { countTicks, createSpanFinder, findFenceEnd } from "./code.ts";
import { type Piece, PieceList } from "./piece.ts";
import { type DirectiveReading, readCommand, readImport } from "./read-directive.ts";
import { readEscape } from "./read-escape.ts";
import { type LiquidReading, readLiquid, type Wrong } from "./read-liquid.ts";

const SPECIAL = /[\\`@!{\n]/g;
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
  return new BodyScan(text, locate).run();
}

class BodyScan {
  readonly #text: string;
  readonly #locate: (offset: number) => Where;
  readonly #list = new PieceList();
  readonly #quoted: UsedVariable[] = [];
  readonly #findSpan: ReturnType<typeof createSpanFinder>;
  /** The Liquid blocks that are open here, by name. */
  readonly #blocks: string[] = [];
  #at = 0;
  /** Where the last directive ended, or the text began: another may follow without a blank. */
  #edge = 0;

  constructor(text: string, locate: (offset: number) => Where) {
    this.#text = text;
    this.#locate = locate;
    this.#findSpan = createSpanFinder(text);
  }

  run(): Scanned {
    this.#takeFence();
    while (this.#at < this.#text.length) {
      SPECIAL.lastIndex = this.#at;
      const special = SPECIAL.exec(this.#text);
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
    const end = findFenceEnd(this.#text, this.#at);
    if (end !== null) this.#quoteText(end);
  }

  #takeEscape(): void {
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
    return readCommand(this.#text, this.#at, this.#findSpan);
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
