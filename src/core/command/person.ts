// Commands that grant, widen or take back: for a person alone, so an agent can neither type nor call them.
import type { CommandSummary, PersonUse } from "./definition.ts";
import { kebabCase } from "./names.ts";
import { VALUED_SPELLINGS } from "./program-flags.ts";

/**
 * The program's own. A use is an argument that is given (`all`), one value of it (`action=set`) or words that no flag
 * names (`agents…`): so it can be told of checked arguments and of a shell line alike.
 */
export const PERSON_USES = {
  answer: true,
  approve: true,
  config: { when: ["action=set", "action=unset"] },
  forget: true,
  hooks: { when: ["action=init"] },
  import: { when: ["user"], unless: ["dryRun"] },
  init: { unless: ["dryRun"] },
  install: { when: ["agents…", "all"], unless: ["dryRun"] },
  log: { when: ["prune"] },
  mcp: { when: ["action=trust"] },
  mode: { when: ["to…", "reset"] },
  new: { when: ["user"] },
  prune: { unless: ["dryRun"] },
  questions: true,
  resident: { when: ["action=stop", "action=serve"] },
  serve: { when: ["action=stop"] },
  sync: { unless: ["check", "dryRun"] },
  trust: { unless: ["diff", "list"] },
  uninstall: { unless: ["dryRun"] },
  workflow: { when: ["action=attach", "action=detach", "action=stop"] },
} as const satisfies Readonly<Record<string, true | PersonUse>>;

type Arguments = Readonly<Record<string, unknown>>;

/** Whether a command with these checked arguments is one for a person. */
export function isForPerson({ person }: Pick<CommandSummary, "person">, args: unknown): boolean {
  // An index that an older version wrote says nothing.
  if (person === false || person === undefined) return false;
  if (person === true) return true;
  const given: Arguments = typeof args === "object" && args !== null ? { ...args } : {};
  return decideUse(person, (use) => isGiven(use, given));
}

const decideUse = ({ when, unless }: PersonUse, isUsed: (use: string) => boolean): boolean =>
  unless?.some(isUsed) !== true && (when === undefined || when.some(isUsed));

function isGiven(use: string, given: Arguments): boolean {
  const [key = "", wanted] = use.replace("…", "").split("=");
  const value = given[key];
  if (wanted !== undefined) return value === wanted;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/**
 * The same of the words behind `adj`, as they stand in a shell line; null stands for what is known only when it runs.
 * It says yes where that could make it one.
 */
export function isPersonLine(words: readonly (string | null)[]): boolean {
  const { name, rest, saysYes } = readProgramWords(words);
  if (saysYes) return true;
  if (name === undefined) return false;
  if (name === null) return true;
  const person: true | PersonUse | undefined = new Map<string, true | PersonUse>(
    Object.entries(PERSON_USES),
  ).get(name);
  if (person === undefined || person === true) return person === true;
  const { unless } = person;
  // Only what is written surely takes a use back; anything unknown may be one.
  const isTaken = unless?.some((use) => rest.includes(flagOf(use))) === true;
  return !isTaken && decideUse({ ...person, unless: [] }, (use) => mayBeUsed(use, rest));
}

const flagOf = (use: string): string => `--${kebabCase(use)}`;

function mayBeUsed(use: string, rest: readonly (string | null)[]): boolean {
  const plain = rest.filter((word) => word === null || !word.startsWith("-"));
  if (use.endsWith("…")) return plain.length > 0;
  const [, wanted] = use.split("=");
  // Behind a flag that may take a value nobody knows which of them is the first.
  if (wanted !== undefined)
    return (plain[0] === rest[0] ? plain.slice(0, 1) : plain).some(
      (word) => word === null || word === wanted,
    );
  const flag = flagOf(use);
  return rest.some((word) => word === null || word === flag || word.startsWith(`${flag}=`));
}

/**
 * The program's own flags stand on either side of the name, and behind `run`; with a value they take the word behind
 * them.
 */
function readProgramWords(words: readonly (string | null)[]) {
  const first = skipFlags(words, 0);
  const at = words[first] === "run" ? skipFlags(words, first + 1) : first;
  const before = words.slice(0, at);
  const [name, ...rest] = words.slice(at);
  const end = rest.indexOf("--");
  const open = end === -1 ? rest : rest.slice(0, end);
  const isShort = (word: string | null): boolean => /^-[a-zA-Z]*y/.test(word ?? "");
  const isYes = (word: string | null): boolean => /^--yes(=|$)/.test(word ?? "");
  const saysYes =
    before.some((word) => isYes(word) || isShort(word)) ||
    open.some((word) => isYes(word) || SHORT_YES.test(word ?? ""));
  return { name, rest: open.filter((_, at) => !isValueAt(open, at)), saysYes };
}

/** Behind the name other letters are the command's own. */
const SHORT_YES = /^-[qh]*y[qhy]*$/;

function skipFlags(words: readonly (string | null)[], from: number): number {
  let at = from;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === null || word === undefined || !word.startsWith("-") || word === "-") break;
    if (VALUED_SPELLINGS.has(word)) at += 1;
  }
  return at;
}

/** What is known only when it runs may be more words than a value, so it stays. */
function isValueAt(words: readonly (string | null)[], at: number): boolean {
  const [flag, value] = [words[at - 1], words[at]];
  return typeof flag === "string" && VALUED_SPELLINGS.has(flag) && value?.startsWith("-") === false;
}
