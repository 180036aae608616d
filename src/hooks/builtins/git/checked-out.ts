// Which branch a push finds checked out: that of the repository, or one that the line itself switches to before.
import { findGitRule, readByRule } from "../../../core/shell/git/hazards.ts";
import { GIT_SUBCOMMANDS } from "../../../core/shell/git/subcommands.ts";
import type { GitCall } from "../../../core/shell/git-call.ts";
import type { SimpleCommand } from "../../../core/shell/simple-command.ts";
import type { GitRepository } from "./lookup.ts";

/** A call that checks out a branch. */
export interface Switch {
  /** Null where it cannot be read. */
  readonly name: string | null;
  /** `made`: it fails only where there is such a branch already. */
  readonly way: "made" | "made-from" | "existing" | "perhaps";
  readonly place: string;
  /** What comes behind it runs only where it succeeded. */
  readonly isChained: boolean;
}

export function readSwitch(
  call: GitCall,
  command: SimpleCommand,
  isChained: boolean,
): Switch | null {
  const found = switchOf(call);
  if (found === null) return null;
  const name = /[$`*?[]/.test(found.name) ? null : found.name;
  const place = keyOfPlace(call, command);
  return { ...found, name, place, isChained: isChained && command.form === "typed" };
}

export const keyOfPlace = ({ folders, isElsewhere }: GitCall, command: SimpleCommand): string =>
  JSON.stringify([command.folders, folders, isElsewhere]);

type Found = { readonly name: string; readonly way: Switch["way"] };

function switchOf({ subcommand, args, takesMoreWords }: GitCall): Found | null {
  if (subcommand === null || subcommand === "") return null;
  const last = args.findLast(({ text }) => !text.startsWith("-"))?.text;
  if (!GIT_SUBCOMMANDS.has(subcommand))
    return ALIAS.test(subcommand) && last !== undefined ? { name: last, way: "perhaps" } : null;
  const rule = SWITCHING.test(subcommand) ? findGitRule(subcommand) : undefined;
  if (rule === undefined) return null;
  const reading = readByRule({ subcommand, args, takesMoreWords }, rule);
  const [first, second, third] = reading.operands;
  if (subcommand === "stash")
    return first === "branch" && second !== undefined ? { name: second, way: "made-from" } : null;
  if (subcommand === "rebase")
    return second === undefined ? null : { name: second, way: "existing" };
  if (subcommand === "branch") {
    const moves = reading.has("move", "M") && first !== undefined && third === undefined;
    return moves ? { name: second ?? first, way: "perhaps" } : null;
  }
  const made = CREATING.flatMap((option) => reading.values(option))[0];
  if (made !== undefined) return { name: made, way: first === undefined ? "made" : "made-from" };
  if (first === undefined || second !== undefined || reading.paths !== null) return null;
  if (reading.has("detach")) return null;
  return reading.has("track")
    ? { name: first.replace(/^[^/]*\//, ""), way: "made-from" }
    : { name: first, way: "existing" };
}

/** What people call `checkout` and `switch`. */
const ALIAS = /^(c|ch|chk|ck|co|cob|cb|sw|swc|s)$/;
const SWITCHING = /^(checkout|switch|branch|stash|rebase)$/;
const CREATING = ["b", "B", "orphan", "create", "force-create"];

/** The branches that may be checked out by then, null for one that is not known. */
export async function headsAfter(
  switches: readonly Switch[],
  repository: GitRepository,
  place: string,
): Promise<readonly (string | null)[]> {
  let heads = [await repository.branch()];
  for (const each of switches) {
    const name = /^(-|@\{-1\})$/.test(each.name ?? "") ? await previous(repository) : each.name;
    const isSure = each.place === place && name !== null && (await succeeds(each, repository));
    heads = isSure ? [name] : [...heads, name];
  }
  return heads;
}

const previous = async (repository: GitRepository): Promise<string | null> =>
  (await repository.ask("rev-parse", "--abbrev-ref", "@{-1}"))?.trim() || null;

async function succeeds({ name, way, isChained }: Switch, repository: GitRepository) {
  const isThere = async (kind: string): Promise<boolean> =>
    (await repository.ask("rev-parse", "--verify", "--quiet", `refs/${kind}/${name}`)) !== null;
  if (way === "perhaps") return false;
  if (way === "made-from") return isChained;
  if (way === "made") return isChained || !(await isThere("heads"));
  // A word that is no branch may be a file, and a commit belongs to none.
  return isChained && ((await isThere("heads")) || (await isThere("remotes/origin")));
}

// How a line writes the branch that is checked out.

const CURRENT = `git (?:branch --show-current|rev-parse --abbrev-ref (?:HEAD|@)|symbolic-ref (?:-q )?--short HEAD)`;
const ASKING = `\\$\\( ?${CURRENT} ?\\)|\`${CURRENT}\``;
const ASKED = new RegExp(`"?(?:${ASKING})"?`, "g");
const ASKS = new RegExp(`^(?:${ASKING})$`);

export const asksForBranch = (text: string): boolean => ASKS.test(text);

/** Nothing but commands joined by `&&`: where one fails, none runs behind it. */
export const isChain = (line: string): boolean =>
  !/[;|&\n(){}`<!]/.test(
    line
      .replace(MESSAGE, "''")
      .replace(ASKED, "''")
      .replace(/'[^']*'|"[^"$`\\]*"/g, "''")
      .replace(/\d?>&\d/g, "")
      .replaceAll("&&", " "),
  );

/** The text of a commit, as agents write it. */
const MESSAGE = /"\$\(cat <<'(\w{1,20})'\n[\s\S]{0,3000}?\n\1\n[ \t]{0,20}\)"/g;

/** A loop or a function may run in any order what stands in it. */
export const isInOrder = (line: string): boolean =>
  !/(?:^|[;&|\n{(]|\bdo\b|\bthen\b)[ \t]{0,20}(?:for|while|until|function|trap|select)\s|\(\s*\)/.test(
    line,
  );
