// One Markdown command as one agent's own: its text where that says all of it, else a relay to Adjutant. Pure.
import { areSameParts, type NativeFormat, type NativePart } from "../../agents/native/format.ts";
import { findAgent } from "../../agents/roster.ts";
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { listSteps, SETTING_KEYS } from "../file/keys.ts";
import type { MarkdownFile } from "../file/markdown-file.ts";
import { decideAgent } from "../file/named-agent.ts";
import { type OwnParts, readOwnParts } from "./own-body.ts";

export interface NativeCommand {
  readonly kind: "translated" | "relay" | "skill";
  /** Why it is a relay; null for what is none. */
  readonly why: string | null;
  /** Keys that have no meaning in the agent's own command. */
  readonly leftOut: readonly string[];
  /** The file's text, without a mark. */
  readonly text: string;
}

export interface TranslatableCommand {
  readonly file: Pick<MarkdownFile, "name" | "fields" | "frontMatter" | "inputs" | "namedAgent">;
  /** Behind the front matter. */
  readonly body: string;
}

export function translateCommand(
  command: TranslatableCommand,
  format: NativeFormat,
): NativeCommand {
  const own = readOwnParts(command.body, command.file.fields.args);
  const translation = findReason(command, format) ?? translateBody(own, format);
  const { fields, leftOut } = carryFields(command, format);
  if (typeof translation === "string") {
    const body = `${relayText(command.file.name)}\n`;
    return { kind: "relay", why: translation, leftOut: [], text: format.print({ fields, body }) };
  }
  const guard = command.file.fields.safety === "destructive" ? format.personOnly : {};
  const text = format.print({ fields: { ...fields, ...guard }, body: translation.body });
  return { kind: "translated", why: null, leftOut, text };
}

/** No placeholder: each agent adds what was typed by itself, and nothing of it is put into a shell. */
export const relayText = (name: string): string =>
  `Run the shell command \`adj-${name}\` with the words that the user gave after this command as its arguments, ` +
  "each one quoted for the shell, and answer with what it prints.";

const STEPS = ["pre", "before", "post", "after"] as const;
const PROMPTS = ["system-prompt", "append-system-prompt"];

/** What more than its body the command is; null where that is nothing. */
function findReason({ file }: TranslatableCommand, format: NativeFormat): string | null {
  const { fields, frontMatter, inputs } = file;
  if (listSteps(...STEPS.map((step) => fields[step])).length > 0)
    return "it has steps before or after it";
  const prompt = PROMPTS.find((key) => isSet(frontMatter[key]));
  if (prompt !== undefined) return `it has a \`${prompt}\``;
  if (Object.keys(frontMatter).some((key) => /^\$\d+$/.test(key))) return "it maps words to flags";
  const asked = inputs.find(
    ({ type, position, isRequired }) => type !== "text" || position === null || !isRequired,
  );
  if (asked !== undefined) return `it asks for \`${asked.name}\``;
  const agent = namedAgent(file);
  if (agent !== null && isWithoutCommands(agent)) return `it is run by \`${agent}\``;
  if (fields.safety === "destructive" && format.personOnly === null)
    return "it is destructive, so a person is asked";
  return null;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Such an agent has no commands of its own that would do the same. */
function isWithoutCommands(name: string): boolean {
  const agent = findAgent(name);
  return agent !== null && agent.nativeCommands === undefined;
}

const namedAgent = ({ fields, namedAgent: name }: TranslatableCommand["file"]): string | null =>
  decideAgent({
    flag: null,
    environment: null,
    file: fields.agent ?? null,
    hasCassette: fields.cassette !== undefined,
    name,
    session: null,
    settings: null,
  })?.agent ?? null;

/** The body in the agent's words, or why that cannot be. */
function translateBody(own: OwnParts, format: NativeFormat): { body: string } | string {
  if (own.kind === "more") return `it ${own.why}`;
  const { agent } = format;
  const reason = own.parts.map((part) => findObstacle(part, format)).find((one) => one !== null);
  if (reason !== undefined) return reason;
  const body = format.printBody(own.parts);
  const back = format.readBody(body, {});
  if (back.problems.length > 0 || !areSameParts(back.parts, own.parts))
    return `\`${agent}\` would read more than text into its text`;
  return body.trim() === "" ? "its text is empty" : { body };
}

function findObstacle(part: NativePart, { agent, takes }: NativeFormat): string | null {
  if (part.kind === "command") return `it runs \`${part.command}\``;
  if (part.kind === "file") return `it imports \`${part.written}\``;
  if (part.kind === "text" || takes === "words") return null;
  return part.kind === "word" ? `\`${agent}\` has no place for a single word` : null;
}

/** Keys that say what the command is, which a listing of the agent's has no line for. */
const SILENT: ReadonlySet<string> = new Set([
  ...["adjutant", "version", "aliases", "category", "argument-hint", "examples", "effect"],
  ...["safety", "critical", "inputs", "args", "context_window", "agent"],
]);

function carryFields({ file }: TranslatableCommand, format: NativeFormat) {
  const source: FrontMatter = { ...file.frontMatter, name: file.name };
  const isOwn = namedAgent(file) === format.agent;
  const keys = new Map([...format.keys, ...(isOwn ? format.ownKeys : [])]);
  const carried = [...keys].filter(([key]) => isSet(source[key]));
  const fields = Object.fromEntries(carried.map(([key, theirs]) => [theirs, plain(key, source)]));
  const leftOut = Object.keys(file.frontMatter).filter(
    (key) => !keys.has(key) && !SILENT.has(key) && isSet(file.frontMatter[key]),
  );
  return { fields, leftOut };
}

/** Lists by nature are printed as lists. */
function plain(key: string, source: FrontMatter): unknown {
  const value = source[key];
  const isList = SETTING_KEYS.get(key)?.endsWith("_tools") === true;
  return isList && !Array.isArray(value) ? [value] : value;
}
