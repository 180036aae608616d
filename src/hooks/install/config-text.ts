// An agent's JSON file as text: read with its comments, faults with line and column, edited without touching the rest.
import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { EntryInstaller } from "../../agents/steps/installer.ts";
import { type Fault, fault } from "../../core/command/fault.ts";

export interface ConfigText {
  readonly file: string;
  readonly text: string;
  /** Null for a file without any value. */
  readonly root: Node | null;
}

const BOM = "\ufeff";

/** Refuses what the agent itself could not read; nothing is changed in a file that is broken. */
export function parseConfig(
  file: string,
  text: string,
  { syntax }: Pick<EntryInstaller, "syntax">,
  /** What else must be there once. */
  key = "hooks",
): ConfigText {
  if (text.startsWith(BOM) && !syntax.mark)
    throw brokenAt({ file, text, root: null }, 0, "it begins with a byte order mark");
  const errors: ParseError[] = [];
  const body = text.startsWith(BOM) ? ` ${text.slice(1)}` : text;
  const root = parseTree(body, errors, {
    allowEmptyContent: true,
    allowTrailingComma: syntax.trailingCommas,
    disallowComments: !syntax.comments,
  });
  const config = { file, text, root: root ?? null };
  const first = errors[0];
  if (first !== undefined) throw brokenAt(config, first.offset, wordsOf(first));
  if (root === undefined) return config;
  if (root.type !== "object") throw brokenAt(config, root.offset, "it is not an object");
  refuseTwice(config, root, [key]);
  refuseShape(config, root);
  return config;
}

const wordsOf = ({ error }: ParseError): string => {
  const words = printParseErrorCode(error)
    .replaceAll(/([A-Z])/g, " $1")
    .trim();
  return `it is not JSON that the agent reads: ${words.toLowerCase()}`;
};

function refuseShape(config: ConfigText, root: Node): void {
  refuseTwice(config, root, ["hooks"]);
  const hooks = findNodeAtLocation(root, ["hooks"]);
  if (hooks === undefined) return;
  if (hooks.type !== "object") throw brokenAt(config, hooks.offset, "`hooks` is not an object");
  refuseTwice(config, hooks, null);
  for (const { children: [key, value] = [] } of hooks.children ?? [])
    if (value !== undefined && value.type !== "array")
      throw brokenAt(config, value.offset, `\`hooks.${key?.value}\` is not a list`);
}

/** Agents take the last of two equal keys, an edit would find the first. */
function refuseTwice(config: ConfigText, object: Node, names: readonly string[] | null): void {
  const seen = new Set<unknown>();
  for (const { children: [key] = [] } of object.children ?? []) {
    if (key === undefined || (names !== null && !names.includes(key.value))) continue;
    if (seen.has(key.value))
      throw brokenAt(config, key.offset, `\`${key.value}\` is there more than once`);
    seen.add(key.value);
  }
}

export function brokenAt({ file, text }: ConfigText, offset: number, problem: string): Fault {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  return fault(
    "FileInvalid",
    { problem },
    { where: { file, line, column }, hint: "mend it first; it was left as it is" },
  );
}

/** Plain data; the parser's own objects have no prototype and equal no others. */
export const readConfigValue = ({ root }: ConfigText): unknown =>
  root === null ? {} : JSON.parse(JSON.stringify(getNodeValue(root)));

/** The nearest place that exists on the way to a path. */
export function offsetOf({ root }: ConfigText, path: readonly PropertyKey[]): number {
  if (root === null) return 0;
  for (let length = path.length; length >= 0; length--) {
    const found = findNodeAtLocation(root, jsonPath(path.slice(0, length)));
    if (found !== undefined) return found.offset;
  }
  return root.offset;
}

const jsonPath = (path: readonly PropertyKey[]): JSONPath =>
  path.map((step) => (typeof step === "number" ? step : String(step)));

export interface Change {
  readonly path: JSONPath;
  /** Undefined removes it. */
  readonly value: unknown;
  readonly isInsertion?: boolean;
}

/** One change after the other; indexes of a later one count what the earlier ones did. */
export function changeText(text: string, changes: readonly Change[]): string {
  const mark = text.startsWith(BOM) ? BOM : "";
  const formattingOptions = formattingOf(text);
  let body = text.slice(mark.length);
  if (parseTree(body, [], { allowEmptyContent: true }) === undefined)
    body = withObject(body, formattingOptions.eol ?? "\n");
  for (const { path, value, isInsertion = false } of changes)
    body = applyEdits(
      body,
      modify(body, path, value, { formattingOptions, isArrayInsertion: isInsertion }),
    );
  return mark + body;
}

function withObject(text: string, eol: string): string {
  const gap = text === "" || text.endsWith("\n") ? "" : eol;
  return `${text}${gap}{}${eol}`;
}

/** As the file itself does it. */
function formattingOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)["/{[]/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : Math.min(indent.length, 8),
    eol: /\r?\n/.exec(text)?.[0] ?? "\n",
  };
}
