// Prompts, questions and command lines with Liquid in them. A value stays a value: in a line it is never split, and none of
// it is read again as Liquid. What depends on the clock or on luck is off, since a run must come to the same texts again.
import { analyzeSync, Context, type Liquid, type Template, toValueSync } from "liquidjs";
import type { JsonValue } from "../../core/command/context.ts";
import { fault, type Where } from "../../core/command/fault.ts";
import { splitWords } from "../../core/command/words.ts";
import { scanTemplate } from "../../markdown/body/scan.ts";
import {
  createEngine,
  PartList,
  parseTemplate,
  withLiquidProblems,
} from "../../markdown/body/template.ts";
import { findNameProblem, type KnownNames } from "./parse-expression.ts";

export type TemplateScope = Readonly<Record<string, JsonValue>>;

type Locate = (offset: number) => Where;

// `raw` prints what it gets past the escaping; `date` reads the clock for `now`.
const FILTERS_OFF = [
  ...["raw", "date", "date_to_xmlschema", "date_to_rfc822", "date_to_string"],
  ...["date_to_long_string", "sample", "shuffle"],
];
/** They print without being outputs, or keep what was printed for later. */
const PRINTING_TAGS = ["echo", "liquid", "cycle", "increment", "decrement", "tablerow", "capture"];

const TEXT_ENGINE = createEngine({ escape: printValue, filtersOff: FILTERS_OFF });
const LINE_ENGINE = createEngine({
  escape: hideValue,
  filtersOff: FILTERS_OFF,
  tagsOff: PRINTING_TAGS,
});

/** What has parts is printed as JSON. */
function printValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

// Characters that no Unicode text has a meaning for; what lies between them is hexadecimal.
const OPEN = "\uE0F0";
const CLOSE = "\uE0F1";
const HIDDEN = new RegExp(`${OPEN}([0-9a-f]*)${CLOSE}`, "g");

/** So that no blank, quote or backslash in it can end a word; a list is a word for each entry. */
function hideValue(value: unknown): string {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  return parts
    .map(printValue)
    .filter((text) => text !== "")
    .map((text) => `${OPEN}${Buffer.from(text).toString("hex")}${CLOSE}`)
    .join(" ");
}

const showValues = (word: string): string =>
  word.replaceAll(HIDDEN, (_, hex: string) => Buffer.from(hex, "hex").toString("utf8"));

/** A prompt or question with its values; throws `FileInvalid` where a loop makes too much of it. */
export const renderText = (text: string, scope: TemplateScope): string =>
  render(text, scope, TEXT_ENGINE);

/** The words of a line; what a value holds is never more than one, but for a list. */
export const renderWords = (line: string, scope: TemplateScope): readonly string[] =>
  splitWords(render(line, scope, LINE_ENGINE)).map(showValues);

function render(text: string, scope: TemplateScope, engine: Liquid): string {
  const template = parse(text, NOWHERE, engine);
  const list = new PartList();
  const data = Object.assign(Object.create(null), scope);
  // A stage that did not act yet has no output: that is nothing, not a mistake.
  const options = { sync: true, strictVariables: false };
  const context = new Context(data, engine.options, options, { liquid: engine });
  withLiquidProblems(NOWHERE, () =>
    toValueSync(engine.renderer.renderTemplates([...template], context, list)),
  );
  return list
    .finish()
    .map((part) => (part.kind === "text" ? part.text : ""))
    .join("");
}

const NOWHERE: Locate = () => ({ file: "the template" });

const parse = (text: string, locate: Locate, engine: Liquid): readonly Template[] =>
  withLiquidProblems(locate, () => parseTemplate(scanTemplate(text, locate), engine));

/** Throws `FileInvalid` where it is no template, or reads what can never be there. */
export function checkText(text: string, known: KnownNames, locate: Locate): void {
  checkNames(parse(text, locate, TEXT_ENGINE), known, locate);
}

const COMMAND_NAME = /^\s*([a-z][a-z0-9-]*)(?=\s|$)/;

/** The same for a line. Which command it is must be plain to see, so no value may say it. */
export function checkLine(line: string, known: KnownNames, locate: Locate): void {
  if (!COMMAND_NAME.test(line))
    throw fault(
      "FileInvalid",
      { problem: "a line begins with the name of a command" },
      { where: locate(0), hint: "write it out; values may follow it" },
    );
  if (line.includes(OPEN) || line.includes(CLOSE))
    throw fault(
      "FileInvalid",
      { problem: "the line holds a character of the private use area" },
      { where: locate(0) },
    );
  checkNames(parse(line, locate, LINE_ENGINE), known, locate);
  // A quote that the author left open shows only after the values are in; empty ones will do.
  renderWords(line, {});
}

function checkNames(template: readonly Template[], known: KnownNames, locate: Locate): void {
  const { globals } = analyzeSync([...template], { partials: false });
  for (const use of Object.values(globals).flat()) {
    const path = use.segments.filter((step) => typeof step === "string");
    const problem = findNameProblem(path, known);
    if (problem !== null)
      throw fault(
        "FileInvalid",
        { problem },
        // The "file" of a token is the offset of its tag.
        { where: locate(Number(use.location.file ?? 0) + Math.max(0, use.location.col - 1)) },
      );
  }
}
