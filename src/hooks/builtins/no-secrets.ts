// Keeps secrets out of files and commits.
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { looksSecret } from "../../core/secrets/mask.ts";
import { analyzeStepLine } from "../../core/shell/analyze-line.ts";
import { readGitCall } from "../../core/shell/git-call.ts";
import type { StepSubject, ToolKind } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { actBecause, type Builtin, NO_INTERVENTION } from "./builtin.ts";
import type { BuiltinOptions } from "./options.ts";
import { textsIn } from "./payload-texts.ts";
import { type GitQueryOptions, queryGit } from "./query-git.ts";

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const noSecrets: Builtin<BuiltinOptions<"no-secrets">> = {
  name: "no-secrets",
  description: "keeps secrets out of what is written and out of what `git commit` would record",
  steps: STEPS,
  async decide({ commits, action, reason }, subject, { env, signal }) {
    const where = await findWrittenSecret(subject, { commits, env, signal });
    if (where === null) return NO_INTERVENTION;
    return actBecause(
      action,
      reason ?? `there is a secret in ${where}; take it from the environment instead`,
    );
  },
};

interface SecretSearch extends Omit<GitQueryOptions, "cwd"> {
  readonly commits: boolean;
}

const WRITING: ReadonlySet<ToolKind> = new Set(["write", "edit", "mcp", "other"]);
const MAX_FILES = 100;
const FILE_BYTES = 262_144;

/** Where the secret is, never the secret itself; null where there is none. */
async function findWrittenSecret(
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
  const calls = (analyzeStepLine(subject)?.commands ?? []).flatMap(
    (command) => readGitCall(command) ?? [],
  );
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
  query: GitQueryOptions,
  { takesAll, adds }: CommitReach,
): Promise<string | null> {
  const quiet = ["--no-color", "--unified=0"];
  if (hasAddedSecret(await queryGit(["diff", "--cached", ...quiet], query)))
    return "what is staged";
  if (takesAll && hasAddedSecret(await queryGit(["diff", ...quiet], query)))
    return "what is changed";
  return adds ? findInNewFiles(query) : null;
}

function hasAddedSecret(diff: string | null): boolean {
  const added = (diff ?? "")
    .split("\n")
    .flatMap((line) => (line.startsWith("+") ? line.slice(1) : []));
  return looksSecret(added.join("\n"));
}

async function findInNewFiles(query: GitQueryOptions): Promise<string | null> {
  const listed = await queryGit(["ls-files", "--others", "--exclude-standard", "-z"], query);
  const names = (listed ?? "").split("\0").filter((name) => name !== "");
  if (names.length > MAX_FILES)
    throw new Error(`${names.length} new files are too many to be searched for secrets`);
  const found = names.find((name) => looksSecret(readBeginning(join(query.cwd, name))));
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
