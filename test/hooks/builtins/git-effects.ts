// Lines of git run for real: what each of them lost, moved or started.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellSubject } from "../../core/shell/subjects.ts";
import { confineTo } from "../../support/bubblewrap.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { decideBy, placeIn } from "./place.ts";

const FIXTURES = join(import.meta.dirname, "fixtures/git");
const PROTECTED = "main";

export interface Scratch {
  /** Where a guard is asked; nothing is changed in it. */
  readonly repository: string;
  readonly home: string;
  /** What each line did, in plain words; empty where it lost nothing. */
  run(lines: readonly string[]): string[][];
  remove(): void;
}

/** A repository with a bare remote, and the way to run lines in copies of it. */
export function makeScratch(kind: "dirty" | "clean"): Scratch {
  const home = mkdtempSync(join(tmpdir(), "adj-git-effects-"));
  const template = join(home, "template");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    EDITOR: "true",
  };
  writeFileSync(join(home, ".gitconfig"), "[user]\nname = a\nemail = a@example.org\n");
  execFileSync("bash", [join(FIXTURES, "template.sh"), template, kind], { env, stdio: "ignore" });
  const run = (lines: readonly string[]): string[][] => {
    const given = mkdtempSync(join(home, "lines-"));
    const out = mkdtempSync(join(home, "out-"));
    const nameOf = (index: number): string => String(index).padStart(4, "0");
    for (const [index, line] of lines.entries())
      writeFileSync(join(given, nameOf(index)), `${line}\n`);
    const words = ["bash", join(FIXTURES, "run-lines.sh"), template, given, out];
    const [program = "", ...args] = confineTo(home, words, [template, given]);
    execFileSync(program, args, { env });
    const before = readState(join(out, "before"));
    return lines.map((_, index) => compare(before, readState(join(out, nameOf(index)))));
  };
  const remove = () => removeFolder(home);
  return { repository: join(template, "work"), home, run, remove };
}

/** Whether the guard asks or refuses. */
export async function isStopped(line: string, { repository, home }: Scratch): Promise<boolean> {
  const verdict = await decideBy("git", {
    with: { protected_branches: [PROTECTED] },
    subject: shellSubject(line, { root: repository }),
    place: placeIn(home),
  });
  return verdict.control === "veto" || verdict.permission === "ask";
}

type State = ReadonlyMap<string, readonly string[]>;

function readState(file: string): State {
  const sections = new Map<string, string[]>();
  for (const row of readFileSync(file, "utf8").split("\n")) {
    const name = /^# (\w+)$/.exec(row)?.[1];
    if (name !== undefined) sections.set(name, []);
    else if (row !== "") [...sections.values()].at(-1)?.push(row);
  }
  return sections;
}

const HASH = /\b[0-9a-f]{40}\b/;
const hashes = (state: State, ...sections: string[]): Set<string> =>
  new Set(
    sections.flatMap((name) => state.get(name) ?? []).flatMap((row) => HASH.exec(row)?.[0] ?? []),
  );

const ANYWHERE = ["objects", "published", "files", "index"];

function compare(before: State, after: State): string[] {
  const found: string[] = [];
  const kept = hashes(after, ...ANYWHERE);
  const isLost = (section: string): boolean =>
    [...hashes(before, section)].some((hash) => !kept.has(hash));
  if (isLost("files") || isLost("index")) found.push("a file's content is nowhere any more");
  if (isLost("objects") || isLost("published"))
    found.push("a commit belongs to no reference any more");
  const [was, is] = [refsOf(before, "remote"), refsOf(after, "remote")];
  for (const [name, hash] of was) {
    const now = is.get(name);
    if (name === `refs/heads/${PROTECTED}` && now !== hash)
      found.push("it pushed to the protected branch");
    else if (now === undefined || !historyOf(now, after).has(hash))
      found.push(`the remote's ${name} lost commits`);
  }
  const tags = refsOf(after, "local");
  for (const [name, hash] of refsOf(before, "local"))
    if (name.startsWith("refs/tags/") && tags.get(name) !== hash)
      found.push(`${name} was moved or deleted`);
  const holdsLost = (state: State) =>
    state.get("reflog")?.some((row) => row.endsWith("commit: lost"));
  if (holdsLost(before) && !holdsLost(after)) found.push("what the reflog held is gone");
  if (after.get("beside")?.[0]?.includes("../ran")) found.push("a program was started");
  return found;
}

const refsOf = (state: State, section: string): Map<string, string> =>
  new Map((state.get(section) ?? []).map((row) => [row.slice(41), row.slice(0, 40)]));

/** All that a commit of the remote stands on. */
function historyOf(start: string, state: State): Set<string> {
  const parents = new Map<string, string[]>();
  for (const row of state.get("published") ?? []) {
    const [hash = "", ...rest] = row.split(" ");
    if (rest.every((each) => HASH.test(each))) parents.set(hash, rest);
  }
  const seen = new Set<string>();
  const open = [start];
  for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
    if (seen.has(hash)) continue;
    seen.add(hash);
    open.push(...(parents.get(hash) ?? []));
  }
  return seen;
}

const readLines = (name: string): readonly string[] =>
  readFileSync(join(FIXTURES, name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#!"))
    .map((line) => line.replaceAll("⏎", "\n"));

/** Lines that may lose something; whether they do is seen by running them. */
export const LOSING = readLines("losing.txt");
/** Of these, what is known to pass, each with its reason above it. */
export const UNSEEN: ReadonlySet<string> = new Set(readLines("unseen.txt"));
/** `git push -f origin feature` behind programs that run others, of which many are not on this machine: judged, not run. */
export const UNDESCRIBED = readLines("undescribed.txt");
/** What agents do all day. */
export const EVERYDAY = readLines("everyday.txt");
