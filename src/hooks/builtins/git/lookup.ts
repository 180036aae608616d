// Whether a call of git loses nothing as the repository stands. Only what is certain counts; what cannot be looked up is
// null.
import { existsSync, lstatSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { followLinks } from "../../../core/project/followed-path.ts";
import type { GitCondition } from "../../../core/shell/git/hazard.ts";
import { NAME_GLOB } from "../../../core/shell/simple-command.ts";
import { isMadeAgain } from "../files/judge-delete.ts";
import { TooMuchToLookAt } from "../files/look-limit.ts";
import { type GitQueryOptions, queryGit } from "../query-git.ts";
import type { OtherChanges } from "./other-changes.ts";

type Certainty = boolean | null;

/** Git is started for each of them; a line with more than this is no everyday line, and its answer would be late. */
const MAX_LOOKUPS = 25;

/** The repositories that the calls of one step are about, each asked once for the same thing. */
export class GitRepositories {
  readonly #options: Omit<GitQueryOptions, "cwd">;
  readonly #known = new Map<string | null, GitRepository>();
  #left = MAX_LOOKUPS;

  constructor(options: Omit<GitQueryOptions, "cwd">) {
    this.#options = options;
  }

  /** Null where it cannot be known which repository it is. */
  at(cwd: string | null): GitRepository {
    const known = this.#known.get(cwd);
    if (known !== undefined) return known;
    const query = cwd === null ? null : { ...this.#options, cwd };
    const repository = new GitRepository(query, () => this.#take());
    this.#known.set(cwd, repository);
    return repository;
  }

  #take(): void {
    if (this.#left-- <= 0)
      throw new TooMuchToLookAt("the line asks too much of git to be looked up in time; part it");
  }
}

export class GitRepository {
  private readonly query: GitQueryOptions | null;
  private readonly takeLookup: () => void;
  private readonly answers = new Map<string, Promise<string | null>>();
  private allSettings: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(query: GitQueryOptions | null, takeLookup: () => void) {
    this.query = query;
    this.takeLookup = takeLookup;
  }

  /** What git prints; null without an answer. */
  ask(...args: readonly string[]): Promise<string | null> {
    const { query } = this;
    const key = args.join("\0");
    const known = this.answers.get(key);
    if (known !== undefined || query === null) return known ?? Promise.resolve(null);
    this.takeLookup();
    // A folder that is not there has no repository either, and git could not even be started in it.
    const answer = existsSync(query.cwd) ? queryGit(args, query) : Promise.resolve(null);
    this.answers.set(key, answer);
    return answer;
  }

  async holds(condition: GitCondition, changes: OtherChanges): Promise<Certainty> {
    if (condition.kind === "all" || condition.kind === "any") {
      const decisive = condition.kind === "any";
      let isKnown = true;
      for (const each of condition.of) {
        const certainty = await this.holds(each, changes);
        if (certainty === decisive) return decisive;
        isKnown &&= certainty !== null;
      }
      return isKnown ? !decisive : null;
    }
    if (condition.kind === "worktree-clean" && isNew(condition.path)) return !changes.moves;
    if (this.query === null) return RARE.has(condition.kind) ? true : null;
    const gitDir = (await this.ask("rev-parse", "--absolute-git-dir"))?.trim() ?? null;
    if (gitDir === null) return WITHOUT_REPOSITORY.has(condition.kind);
    return this.look(condition, { changes, gitDir, cwd: this.query.cwd });
  }

  private async look(condition: GitCondition, at: GitFolders): Promise<Certainty> {
    const { changes, gitDir, cwd } = at;
    switch (condition.kind) {
      case "clean":
        return !changes.files && (await this.isClean(condition));
      case "no-path":
        return this.isNoPath(condition.word, cwd);
      case "absent": {
        const path = resolve(cwd, condition.path);
        const top = await this.top();
        if (!isThere(path) || !`${followLinks(path)}/`.startsWith(`${top}/`)) return true;
        const paths = [condition.path];
        return !changes.files && (await this.isClean({ kind: "clean", reach: "ignored", paths }));
      }
      case "worktree-clean":
        if (isNew(resolve(cwd, condition.path))) return !changes.moves;
        return !changes.files && (await this.ask("-C", condition.path, ...ALL_CHANGES)) === "";
      case "new-ref":
        return !changes.refs && (await this.resolve(condition.name)) === null;
      case "ancestor": {
        const { of, from } = condition;
        if (of === "HEAD" || from === "HEAD" ? changes.head : changes.refs) return false;
        return (await this.ask("merge-base", "--is-ancestor", of, from)) !== null;
      }
      case "kept-elsewhere":
        if (condition.refs.includes("HEAD") ? changes.head : changes.refs) return false;
        return this.areKept(condition.refs, condition.without);
      case "head-kept":
        return changes.names || (await this.isHeadKept(condition.word, { changes, cwd }));
      case "nothing-in-way":
        return this.isNothingInWay(condition.word);
      case "unpushed": {
        if (changes.refs) return false;
        const asked = ["--count=1", "--format=%(refname)", "--contains", condition.ref];
        return (await this.ask("for-each-ref", ...asked, "refs/remotes")) === "";
      }
      case "remotes-kept":
        return changes.deleted !== null && (await this.areRemotesKept(changes.deleted));
      case "patches-clean":
        if (changes.files) return false;
        for (const patch of condition.patches)
          if (!(await this.isPatchClean(patch, cwd))) return false;
        return true;
      case "plain-branches": {
        if (changes.refs) return false;
        const names = await this.ask("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads");
        return names?.split("\n").every((name) => /^(\w[\w./@#+-]*)?$/.test(name)) === true;
      }
      case "no-operation":
        return !OPERATIONS.some((name) => existsSync(join(gitDir, name)));
      case "no-stash":
        return !changes.refs && (await this.resolve("refs/stash")) === null;
      default:
        return null;
    }
  }

  private resolve(name: string): Promise<string | null> {
    return this.ask("rev-parse", "--verify", "--quiet", "--end-of-options", name);
  }

  private async areRemotesKept(deleted: readonly string[]): Promise<boolean> {
    const left = deleted.map((name) => `--exclude=${name}`);
    return (await this.ask("rev-list", "-n1", "--remotes", "--not", ...left, ...LOCAL)) === "";
  }

  private async top(): Promise<string | undefined> {
    return (await this.ask("rev-parse", "--show-toplevel"))?.replace(/\n$/, "");
  }

  /** Read backwards as well, a patch names also what it takes a file's content from. */
  private async isPatchClean(patch: string, cwd: string): Promise<boolean> {
    const file = lstatSync(resolve(cwd, patch), { throwIfNoEntry: false });
    if (file === undefined) return true;
    if (!file.isFile()) return false;
    const names = new Set<string>();
    for (const way of [[], ["--reverse"]]) {
      const listed = await this.ask("apply", ...way, "--numstat", "-z", "--", patch);
      if (listed === null) return false;
      for (const each of listed.split("\0").filter(Boolean))
        names.add(each.replace(/^[^\t]*\t[^\t]*\t/, ""));
    }
    const top = await this.top();
    if (top === undefined || names.size === 0 || names.size > MAX_PATHS) return false;
    const paths = [...names].map((name) => `:(top,literal)${name}`);
    // What lies in another repository inside of this one is changed as well, and git says nothing of it.
    const known = (await this.ask("ls-files", "-z", "--full-name", "--", ...paths))?.split("\0");
    if ([...names].some((name) => known?.includes(name) !== true && isThere(join(top, name))))
      return false;
    return this.isClean({ kind: "clean", reach: "ignored", paths });
  }

  private async isClean({ paths, reach }: Clean): Promise<boolean> {
    if (paths.includes("")) return false;
    const untracked = reach === "tracked" ? "no" : "all";
    const ignored = reach === "ignored" ? ["--ignored=matching"] : [];
    const options = ["--porcelain", "--no-renames", `--untracked-files=${untracked}`, ...ignored];
    if ((await this.ask("status", ...options, "--", ...paths)) !== "") return false;
    // Files whose changes git was told to overlook.
    const marks = await this.ask("ls-files", "-v", "--", ...paths);
    if (marks === null || /^[a-zS]/m.test(marks)) return false;
    return (await this.settings()).get("submodule.recurse")?.includes("true") !== true;
  }

  /** A word that is neither a file on the disk nor one in the index; null where it is a commit as well. */
  private async isNoPath(word: string, cwd: string): Promise<Certainty> {
    if (word === NAME_GLOB) return true;
    const isPath =
      /^:|[*?[\\]/.test(word) ||
      isThere(resolve(cwd, word)) ||
      (await this.ask("ls-files", "-z", "--", `:(literal)${word}`)) !== "";
    if (!isPath) return true;
    return (await this.resolve(`${word}^{commit}`)) === null ? false : null;
  }

  private async areKept(refs: readonly string[], without = ""): Promise<boolean> {
    const branch = (await this.branch()) ?? "";
    // What is no whole name is seen from the branch that is checked out, which keeps nothing.
    const isSeenFromHere = refs.some((ref) => !ref.startsWith("refs/"));
    const left = [
      ...refs,
      ...(isSeenFromHere ? [`refs/heads/${branch}`, `refs/heads/${without}`] : []),
    ];
    const named = (prefix: string): string[] =>
      left.flatMap((ref) =>
        ref.startsWith(prefix) ? `--exclude=${ref.slice(prefix.length)}` : [],
      );
    const others = [...named("refs/heads/"), "--branches", "--tags"];
    const copies = [...named("refs/remotes/"), "--remotes"];
    return (await this.ask("rev-list", "-n1", ...refs, "--not", ...others, ...copies)) === "";
  }

  /** Of a word that names a file the files are meant, and the head stays. */
  private async isHeadKept(
    word: string,
    { changes, cwd }: Pick<GitFolders, "changes" | "cwd">,
  ): Promise<boolean> {
    const isOnOne = (await this.branch()) !== null;
    if ((isOnOne && !changes.strays) || (await this.isNoPath(word, cwd)) === false) return true;
    if (isOnOne) return false;
    const isOnBranch = (await this.ask("rev-list", "-n1", "HEAD", "--not", ...KEEPING)) === "";
    return isOnBranch && !changes.commits;
  }

  /** Git itself refuses where it does not ignore the file; what a build makes again is no loss. */
  private async isNothingInWay(word: string): Promise<boolean> {
    const commit = (await this.resolve(`${word === "-" ? "@{-1}" : word}^{commit}`))?.trim();
    if (commit === undefined) return true;
    const added = ["--name-only", "-z", "--no-renames", "--diff-filter=A"];
    const names = (await this.ask("diff", ...added, "HEAD", commit, "--"))?.split("\0") ?? [];
    const top = (await this.top()) ?? "";
    const there = names.filter((name) => {
      const path = join(top, name);
      return name !== "" && !isMadeAgain(path, top) && isThere(path);
    });
    if (there.length === 0) return true;
    const paths = there.slice(0, MAX_PATHS).map((name) => `:(top,literal)${name}`);
    return (await this.ask("ls-files", "-o", "-i", "--exclude-standard", "--", ...paths)) === "";
  }

  /** The branch that is checked out. */
  async branch(): Promise<string | null> {
    return (await this.ask("symbolic-ref", "--quiet", "--short", "HEAD"))?.trim() ?? null;
  }

  /** Every setting by its name, as git spells it; empty where there is no repository to ask. */
  async settings(): Promise<ReadonlyMap<string, readonly string[]>> {
    if (this.allSettings !== null) return this.allSettings;
    const settings = new Map<string, string[]>();
    for (const entry of ((await this.ask("config", "--list", "-z")) ?? "").split("\0")) {
      const [name = "", ...lines] = entry.split("\n");
      if (name === "") continue;
      const values = settings.get(name) ?? [];
      values.push(lines.join("\n") || "true");
      settings.set(name, values);
    }
    this.allSettings = settings;
    return settings;
  }
}

interface GitFolders {
  readonly changes: OtherChanges;
  readonly gitDir: string;
  readonly cwd: string;
}
type Clean = Extract<GitCondition, { kind: "clean" }>;

const MAX_PATHS = 1_000;
const ALL_CHANGES = ["status", "--porcelain", "--untracked-files=all"];
const LOCAL = ["--branches", "--tags"];
const KEEPING = [...LOCAL, "--remotes"];
const OPERATIONS = [
  ...["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer"],
];
/** They are not supposed of a repository that nobody knows: a head on no branch, an ignored file that another branch has. */
const RARE: ReadonlySet<GitCondition["kind"]> = new Set(["head-kept", "nothing-in-way"] as const);
/** Outside of a repository git does nothing; what is deleted by force is asked about all the same. */
const WITHOUT_REPOSITORY: ReadonlySet<GitCondition["kind"]> = new Set<GitCondition["kind"]>([
  ...(["no-path", "no-operation", "unpushed", "remotes-kept", ...RARE] as const),
]);

const isNew = (path: string): boolean =>
  isAbsolute(path) && !/[*?[\\$`]/.test(path) && !isThere(path);
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
