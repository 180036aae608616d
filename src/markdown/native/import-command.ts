// One of an agent's own commands as a Markdown command of ours, and what of it could not be described. Pure.
import { stringify } from "yaml";
import {
  type NativeFormat,
  type NativePart,
  type NativeText,
  textPart,
} from "../../agents/native/format.ts";
import { isCommandName, PROGRAM_WORDS } from "../../core/command/registry.ts";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { isTextList } from "../../core/project/json-value.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import { printOwnBody } from "./own-body.ts";

interface ImportedCommand {
  readonly text: string;
  /** What could not be carried over. */
  readonly problems: readonly string[];
}

interface NativeFile extends NativeText {
  readonly format: NativeFormat;
  readonly name: string;
  /** From a file the agent names to the path that our file would import; null where there is none. */
  readonly importPath: (path: string) => string | null;
}

/** Null where our format cannot say the body at all. */
export function importNativeCommand(file: NativeFile): ImportedCommand | null {
  const { parts, problems } = file.format.readBody(file.body, file.fields);
  const placed = parts.map((part) => placePart(part, file));
  const body = printOwnBody(placed.map(({ part }) => part));
  if (body === null) return null;
  const carried = carryFields(file);
  const yaml = stringify(carried.fields, { lineWidth: 0 });
  return {
    text: `---\n${yaml}---\n${body}`,
    problems: [...carried.problems, ...problems, ...placed.flatMap(({ problem }) => problem ?? [])],
  };
}

function placePart(
  part: NativePart,
  { importPath }: NativeFile,
): { part: NativePart; problem?: string } {
  if (part.kind !== "file") return { part };
  const path = importPath(part.path);
  if (path !== null) return { part: { ...part, path } };
  const text = textPart(part.written);
  // `@alice` is a person.
  if (!/[./]/.test(part.path)) return { part: text };
  return { part: text, problem: `\`${part.written}\` is no file that can be imported here` };
}

function carryFields({ format, fields, name, body }: NativeFile) {
  const ours = invert(format.keys);
  const own = invert(format.ownKeys);
  const problems: string[] = [];
  const carried: Record<string, unknown> = { description: describe(fields, body, name) };
  for (const [key, value] of Object.entries(fields)) {
    const mine = ours.get(key) ?? own.get(key);
    if (key === "description" || isHandled(key, value, name)) continue;
    const taken = mine === undefined ? null : readValue(mine, value);
    if (mine === undefined || taken === null) problems.push(`the key \`${key}\``);
    else carried[mine] = taken;
  }
  // What means something to this agent alone is only described to this agent.
  const isOwn = Object.keys(carried).some((key) => format.ownKeys.has(key));
  return { fields: isOwn ? { ...carried, agent: format.agent } : carried, problems };
}

const invert = (keys: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(Array.from(keys, ([ours, theirs]) => [theirs, ours]));

/** The name is the file's; named words became places in the body. */
const isHandled = (key: string, value: unknown, name: string): boolean =>
  key === "arguments" || (key === "name" && toName(String(value)) === name);

function describe(fields: FrontMatter, body: string, name: string): string {
  const described = typeof fields.description === "string" ? oneLine(fields.description) : "";
  if (described !== "") return described;
  const first = body
    .split("\n")
    .map(oneLine)
    .find((line) => line !== "");
  return first === undefined ? name : first.replace(/^#+\s*/, "").slice(0, 100);
}

const oneLine = (text: string): string => plainLine(text.replaceAll(/\s+/g, " "));

function readValue(key: string, value: unknown): unknown {
  if (key.endsWith("-tools")) return readTools(value);
  if (isTextList(value)) return value.map((one) => `[${one}]`).join(" ");
  return typeof value === "string" && oneLine(value) !== "" ? oneLine(value) : null;
}

/** A list, or one string with commas between the tools but not within their brackets. */
function readTools(value: unknown): string[] | null {
  const list: unknown[] =
    typeof value === "string" ? (value.match(/(?:\([^)]*\)|[^,(])+/g) ?? []) : [value].flat();
  if (!list.every((tool) => typeof tool === "string")) return null;
  const tools = list.map((tool) => tool.trim()).filter(Boolean);
  return tools.length === 0 ? null : tools;
}

const toName = (path: string): string =>
  path
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");

type NameReading =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "wrong"; readonly problem: string };

/** `sub/deep` is `sub-deep`. */
export function readNativeName(path: string): NameReading {
  const name = toName(path);
  if (!isCommandName(name)) return { kind: "wrong", problem: `\`${path}\` makes no command name` };
  if (PROGRAM_WORDS.has(name))
    return { kind: "wrong", problem: `\`${name}\` belongs to the program` };
  return { kind: "name", name };
}
