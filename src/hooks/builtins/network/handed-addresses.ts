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
  if (written.length === 0) return [];
  const words = command.words.map(({ text }) => text);
  const isNamed = (file: string): boolean =>
    SETTINGS_FILE.test(file) || words.some((word) => word === file || word.endsWith(`=${file}`));
  const isFed = words.some((word) => /(^|=)<\(/.test(word));
  return written.flatMap(({ file, hosts }) =>
    (file === null ? isFed : isNamed(file)) ? hosts : [],
  );
}

interface WrittenAddresses {
  /** Null for what is only printed, which a substitution may hand on. */
  readonly file: string | null;
  readonly hosts: readonly string[];
}

/** Asked for with each command of a line. */
const WRITTEN = new WeakMap<readonly SimpleCommand[], readonly WrittenAddresses[]>();

function addressesWritten(commands: readonly SimpleCommand[]): readonly WrittenAddresses[] {
  const known = WRITTEN.get(commands);
  if (known !== undefined) return known;
  const found = commands.flatMap(writtenBy);
  WRITTEN.set(commands, found);
  return found;
}

function writtenBy(command: SimpleCommand): WrittenAddresses[] {
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
