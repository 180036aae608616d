// What a tool or a shell line would write or send, in every form in which it can be read: as it stands, without quotes and
// with values put in, decoded where it is base64 or hex.
import { listSecrets, looksSecret, namesSecret } from "../../../core/secrets/mask.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import type { ToolArguments } from "../../../core/step/envelope.ts";
import { payloadTexts } from "../payload-texts.ts";

/** Also where it is written in two bytes a character, or encoded. */
export const holdsSecret = (text: string): boolean =>
  looksSecret(text) ||
  (text.includes("\0") && looksSecret(text.replaceAll("\0", ""))) ||
  decodedParts(text).some(looksSecret);

/** What an edit takes out is not written. */
const TAKEN_OUT = /^old_?(?:string|str|text)$/i;

export const argumentsHoldSecret = (args: ToolArguments, isEdit = false): boolean =>
  payloadTexts(args).some(
    ({ key, text, isKey }) =>
      (!(isEdit && TAKEN_OUT.test(key)) && holdsSecret(text)) ||
      (!isKey && namesSecret(key) && looksSecret(`"${key}": "${text}"`)),
  );

export function lineHoldsSecret({ line, commands }: LineAnalysis): boolean {
  const own = commands.flatMap(textsOf);
  const texts = [line, unescaped(line), withoutJoints(line), ...own, ...addedValues(commands)];
  if (/\brev\b/.test(line)) texts.push([...line].reverse().join(""));
  return texts.some(holdsSecret);
}

/** `t=x; t+=y`: all that a variable is given, one behind the other. */
const addedValues = (commands: readonly SimpleCommand[]): string[] =>
  [
    ...Map.groupBy(
      commands.flatMap(({ assignments }) => assignments),
      ({ name }) => name,
    ).values(),
  ]
    .filter((given) => given.length > 1)
    .map((given) => given.map(({ value }) => value.text).join(""));

/** The words with their values put in, what is fed to them, and what `printf` makes of its own. */
function textsOf({ text, words, assignments, redirections }: SimpleCommand): string[] {
  const bodies = redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : []));
  const values = assignments.map(({ name, value }) => `${name}=${value.text}`);
  const printed = /^(?:printf|echo)$/.test(words[0]?.text ?? "")
    ? [printedBy(words.slice(1).map((word) => word.text))]
    : [];
  return [text, ...bodies, ...values, ...printed];
}

/** `printf '%s%s' a b`, and `echo -e 'a\x62'`. */
function printedBy([first = "", ...rest]: readonly string[]): string {
  const format = unescaped(first);
  const parts = rest.map(unescaped);
  return /%s|%b/.test(format) ? `${format.replace(/(?:%[sb])+/, () => parts.join(""))}` : "";
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|0?([0-3]?[0-7]{2}))/g;

const unescaped = (text: string): string =>
  text.includes("\\")
    ? text.replace(ESCAPE, (_, hex: string, unicode: string, octal: string) =>
        String.fromCharCode(Number.parseInt(hex ?? unicode ?? octal, octal === undefined ? 16 : 8)),
      )
    : text;

/** `'a' + 'b'` in code is `'ab'` when it runs. */
const withoutJoints = (text: string): string =>
  text.replace(/["'`][ \t]{0,9}[+.]?[ \t]{0,9}["'`]/g, "");

const ENCODED = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
/** In what is longer a secret stands as it is, or in a file of its own. */
const MAX_DECODED = 4_194_304;
const PRINTABLE = /^[\t\n\r\x20-\x7e]+$/;

function decodedParts(text: string): string[] {
  if (text.length > MAX_DECODED) return [];
  const found: string[] = [];
  // Output that is wrapped after so many characters is one text.
  const whole = /^[A-Za-z0-9+/=\s]+$/.test(text) ? [text.replace(/\s+/g, "")] : [];
  for (const part of [...whole, ...(text.match(ENCODED) ?? [])]) {
    const isHex = /^[0-9a-fA-F]+$/.test(part);
    const decoded = Buffer.from(part, isHex ? "hex" : "base64").toString("latin1");
    if (PRINTABLE.test(decoded)) found.push(decoded);
  }
  return found;
}

/** A secret that the text has and the one before it had not: whoever edits beside an old one writes none. */
export function hasNewSecret(before: string, after: string): boolean {
  const old = new Set(listSecrets(before));
  return listSecrets(after).some((secret) => !old.has(secret));
}
