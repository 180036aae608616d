import { closeSync, constants, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ToolKind } from "../../agents/tool-kind.ts";
import { looksSecret } from "../../command/secrets.ts";
import { readGitCall } from "../shell/git-call.ts";
import { lineOf } from "../shell/subject-line.ts";
import type { StepSubject } from "../subject.ts";
import { askGit, type GitPlace } from "./ask-git.ts";
import { textsIn } from "./map-texts.ts";

interface SecretSearch extends Omit<GitPlace, "cwd"> {
  readonly commits: boolean;
}

const WRITING: ReadonlySet<ToolKind> = new Set(["write", "edit", "mcp", "other"]);
const MOST_FILES = 100;
const FILE_BYTES = 262_144;

/** Where the secret is, never the secret itself; null where there is none. */
export async function findSecret(
  subject: StepSubject,
  search: SecretSearch,
): Promise<string | null> {
  const { kind = "other", args = {} } = subject.envelope;
  if (subject.line === null && !WRITING.has(kind)) return null;
  if (textsIn(args).some(looksSecret))
    return subject.line === null ? "what is written" : "the line";
  return search.commits ? findInCommits(subject, search) : null;
}

async function findInCommits(subject: StepSubject, search: SecretSearch): Promise<string | null> {
  const calls = (lineOf(subject)?.commands ?? []).flatMap((command) => readGitCall(command) ?? []);
  const adds = calls.some(({ subcommand }) => subcommand === "add" || subcommand === "stage");
  for (const { subcommand, folders, args } of calls) {
    if (subcommand !== "commit") continue;
    const cwd = folders.reduce((folder, next) => resolve(folder, next), subject.envelope.cwd);
    const takesAll = adds || args.some(({ text }) => !text.startsWith("--") || text === "--all");
    const found = await findInCommit({ ...search, cwd }, { takesAll, adds });
    if (found !== null) return found;
  }
  return null;
}

interface CommitReach {
  /** Beside what is staged also what is only changed. */
  readonly takesAll: boolean;
  /** The line stages new files itself. */
  readonly adds: boolean;
}

async function findInCommit(
  place: GitPlace,
  { takesAll, adds }: CommitReach,
): Promise<string | null> {
  const quiet = ["--no-ext-diff", "--no-textconv", "--no-color", "--unified=0"];
  if (hasAddedSecret(await askGit(["diff", "--cached", ...quiet], place))) return "what is staged";
  if (takesAll && hasAddedSecret(await askGit(["diff", ...quiet], place))) return "what is changed";
  return adds ? findInNewFiles(place) : null;
}

function hasAddedSecret(diff: string | null): boolean {
  const added = (diff ?? "")
    .split("\n")
    .flatMap((line) => (line.startsWith("+") ? line.slice(1) : []));
  return looksSecret(added.join("\n"));
}

async function findInNewFiles(place: GitPlace): Promise<string | null> {
  const listed = await askGit(["ls-files", "--others", "--exclude-standard", "-z"], place);
  const names = (listed ?? "").split("\0").filter((name) => name !== "");
  if (names.length > MOST_FILES)
    throw new Error(`${names.length} new files are too many to be searched for secrets`);
  const found = names.find((name) => looksSecret(readBeginning(join(place.cwd, name))));
  return found === undefined ? null : `\`${found}\``;
}

/** Neither a link nor a pipe is followed; what is gone again holds no secret. */
function readBeginning(path: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return "";
  }
  try {
    const block = Buffer.alloc(FILE_BYTES);
    return block.subarray(0, readSync(file, block)).toString("utf8");
  } finally {
    closeSync(file);
  }
}
