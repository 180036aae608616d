// Addresses that a line puts into files which a program of everyday then reads: `echo registry=… > .npmrc; npm install`.
import { effectsOf } from "../../../core/shell/effects/effects-of.ts";
import type { SimpleCommand } from "../../../core/shell/simple-command.ts";
import { hostsIn } from "./hosts.ts";

const SETTINGS_FILE =
  /(^|\/)(\.git\/(config|remotes\/.+|branches\/.+)|\.gitconfig|git\/config|\.gitmodules|\.npmrc|\.yarnrc(\.yml)?|bunfig\.toml|\.?pip\.conf|\.pypirc|\.cargo\/config(\.toml)?|\.curlrc|\.wgetrc|\.netrc|\.pg_service\.conf|package\.json|requirements[\w-]*\.txt|Cargo\.toml|go\.mod|Gemfile|pyproject\.toml|[\w-]+\.tf)$/;

/** Of settings that programs look for by themselves, and of files and substitutions that the command names. */
export function addressesHanded(
  command: SimpleCommand,
  commands: readonly SimpleCommand[],
): string[] {
  const written = addressesWritten(commands);
  if (written === null) return [];
  const words = command.words.map(({ text }) => text);
  const isFed = words.some((word) => /(^|=)<\(/.test(word));
  return uniqueHosts([
    ...written.inSettings,
    ...(isFed ? written.printed : []),
    ...words.flatMap((word) => namedIn(word, written)),
  ]);
}

interface WrittenAddresses {
  readonly inSettings: readonly string[];
  /** What a substitution may hand on. */
  readonly printed: readonly string[];
  readonly byFile: ReadonlyMap<string, readonly string[]>;
  /** How long the names of these files are. */
  readonly lengths: ReadonlySet<number>;
}

/** The file that the word is, or that stands behind a `=` of it: found by its name, not by asking each file of the line. */
function namedIn(word: string, { byFile, lengths }: WrittenAddresses): string[] {
  const hosts = [...(byFile.get(word) ?? [])];
  for (let at = word.indexOf("="); at !== -1; at = word.indexOf("=", at + 1))
    if (lengths.has(word.length - at - 1)) hosts.push(...(byFile.get(word.slice(at + 1)) ?? []));
  return hosts;
}

/** Nobody writes more into a line; each of them would be looked at for each of its commands. */
const MAX_HOSTS = 50;

/** Each once; too many are an address that nobody knows. */
export function uniqueHosts(hosts: readonly string[]): string[] {
  const unique = [...new Set(hosts)];
  return unique.length > MAX_HOSTS ? ["?"] : unique;
}

/** Asked for with each command of a line. */
const WRITTEN = new WeakMap<readonly SimpleCommand[], WrittenAddresses | null>();

function addressesWritten(commands: readonly SimpleCommand[]): WrittenAddresses | null {
  const known = WRITTEN.get(commands);
  if (known !== undefined) return known;
  const found = gatherWritten(commands.flatMap(writtenBy));
  WRITTEN.set(commands, found);
  return found;
}

function gatherWritten(
  written: readonly { readonly file: string | null; readonly hosts: readonly string[] }[],
): WrittenAddresses | null {
  if (written.length === 0) return null;
  const files = new Map<string, string[]>();
  for (const { file, hosts } of written) {
    if (file === null || SETTINGS_FILE.test(file)) continue;
    const before = files.get(file);
    if (before === undefined) files.set(file, [...hosts]);
    else before.push(...hosts);
  }
  const hostsOf = (isAmong: (file: string | null) => boolean) =>
    uniqueHosts(written.flatMap(({ file, hosts }) => (isAmong(file) ? hosts : [])));
  return {
    inSettings: hostsOf((file) => file !== null && SETTINGS_FILE.test(file)),
    printed: hostsOf((file) => file === null),
    byFile: new Map([...files].map(([file, hosts]) => [file, uniqueHosts(hosts)])),
    lengths: new Set([...files.keys()].map(({ length }) => length)),
  };
}

function writtenBy(
  command: SimpleCommand,
): { readonly file: string | null; readonly hosts: readonly string[] }[] {
  const texts = [
    ...command.words.map(({ text }) => text),
    ...command.redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : [])),
  ];
  // `vite@5.0` is no address.
  const hosts = texts.filter((text) => text.includes("://")).flatMap(hostsIn);
  if (hosts.length === 0 || command.words[0]?.text === "git") return [];
  const files = effectsOf(command).flatMap(({ access, word, isPossible }) =>
    access === "write" && !isPossible ? [word.text] : [],
  );
  const isPrinted = /^(echo|printf|cat)$/.test(command.words[0]?.text ?? "");
  return [...files, ...(isPrinted ? [null] : [])].map((file) => ({ file, hosts }));
}
