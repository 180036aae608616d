// The ways in which a tool may spell the path of a file: as an address, with escapes, behind an option, in quotes, with a
// line number, as one of a list.
import { MAX_PATH_LENGTH } from "../../../core/project/followed-path.ts";
import { expandBraces } from "../../../core/project/glob.ts";
import { shortenPath } from "../../match/paths.ts";

/** What an argument of this name holds is where something is, or a list of such. */
const NAMES_PLACE =
  /(?:path|paths|pathname|file|files|filename|filenames|dir|dirs|directory|directories|folder|folders|uri|uris|url|notebook|target|destination|dest|location|glob|globs|include|includes|patterns|volume|volumes|mount|mounts)$/i;

export const namesPlace = (key: string): boolean => NAMES_PLACE.test(key);

/** Every path that the text may stand for; none where it is prose. */
export function speltPaths(text: string, key = ""): string[] {
  const found = new Set<string>();
  for (const [address] of text.matchAll(FILE_ADDRESS)) addSpellings(address, found);
  const whole = shortenPath(text.trim());
  if (whole.length <= MAX_PATH_LENGTH) {
    if (!whole.includes("\n")) addSpellings(whole, found);
    if (NAMES_PLACE.test(key) && !isWebAddress(whole))
      for (const part of whole.split(/[\n\r,;]|\s+|:(?=[/~.])/)) addSpellings(part.trim(), found);
  }
  found.delete("");
  return [...found];
}

/** Also in the middle of a sentence. */
const FILE_ADDRESS = /\bfile:\/\/[^\s"'`<>()[\]]{1,4096}/gi;

const WRAPPED = /^(?:"([^"]+)"|'([^']+)'|`([^`]+)`|<([^<>]+)>)$/;
/** `@file` mentions it; `--file=x`, `-fx` and `file=x` hand it over. */
const PREFIXED = /^(?:@|--?[\w-]{1,40}=|\w{1,40}=|-[a-zA-Z](?=[./~]))(.+)$/s;
/** `file:3:7`, `file:3-7` and `file#L3` are places in it, `file?raw` a manner to have it. */
const PLACE = /(?::\d{1,9}(?:-\d{1,9})?){1,2}$|#[\w-]{0,40}$|\?[\w=&-]{1,80}$/;
const ENVIRONMENT = /^(?:\$HOME|\$\{HOME\}|%HOME%|%USERPROFILE%|\$env:HOME)(?=[/\\]|$)/;
/** Also as editors and templates name it: `${workspaceFolder}/x`, `{{root}}/x`. */
const HERE =
  /^(?:\$\{\w{0,30}(?:folder|root|dir|cwd)\w{0,30}\}|\{\{ ?\w{1,40} ?\}\}|\$PWD|\$\{PWD\}|%CD%|\/proc\/(?:self|thread-self|\d+)\/cwd)(?=[/\\]|$)/i;

function addSpellings(written: string, found: Set<string>): void {
  let text = written;
  // Each form hides at most one other: `--file="file:///x"`.
  for (let step = 0; step < 4; step++) {
    const inner = unwrap(text);
    if (inner === null) break;
    if (step > 0 || !/^[a-z][a-z0-9+.-]*:/i.test(text)) addPlain(text, found);
    text = inner;
  }
  if (isWebAddress(text)) return;
  const place = pathsOfAddress(text);
  for (const each of place ?? [text]) addPlain(each, found);
}

/** What stands behind one layer of spelling, null where there is none. */
function unwrap(text: string): string | null {
  const [, ...quoted] = WRAPPED.exec(text) ?? [];
  return quoted.find((each) => each !== undefined) ?? PREFIXED.exec(text)?.[1] ?? null;
}

function addPlain(given: string, found: Set<string>): void {
  const [text = ""] = given.split("\0", 1);
  const path = text.replace(ENVIRONMENT, "~").replace(HERE, ".");
  const forms = [path, path.replace(PLACE, ""), decoded(path), path.replaceAll("\\", "/")];
  for (const form of forms) for (const each of expandBraces(form)) found.add(each);
}

/** Also where it was escaped twice. */
function decoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    const once = decodeURIComponent(text);
    return /%25/.test(text) ? decodeURIComponent(once) : once;
  } catch {
    return text;
  }
}

/** What is fetched from a host is none of the machine's files. */
const isWebAddress = (text: string): boolean => /^(?:https?|wss?|ftp|mailto|data):/i.test(text);

/** The files that an address may mean, null where it is none. Of a scheme that nobody knows the host may be a folder. */
function pathsOfAddress(text: string): string[] | null {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]+):(.*)$/is.exec(text) ?? [];
  if (scheme === "" || rest === "") return null;
  // `view-source:file:///x`
  if (/^[a-z-]+:\//i.test(rest)) return pathsOfAddress(rest);
  const [place = ""] = rest.split(/[?#]/, 1);
  const bare = decoded(place).replace(/^\/\/(?:localhost(?=\/))?/i, "");
  const queried = [...rest.matchAll(/[?&][\w-]{1,40}=([^&#]{1,4096})/g)].map(([, value = ""]) =>
    decoded(value),
  );
  // Without its first part as well: `vscode://file/x`.
  return [
    text,
    bare,
    bare.replace(/^\/+/, "/"),
    bare.replace(/^[\w.-]*\/+/, ""),
    bare.replace(/^[\w.-]*(?=\/)/, ""),
    ...queried,
  ];
}
