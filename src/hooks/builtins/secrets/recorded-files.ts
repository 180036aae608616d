// What a line would have git record or push: what is staged, what it adds itself, the commits that a remote has not got.
import { dirname, join, resolve } from "node:path";
import { analyzeLine } from "../../../core/shell/analyze-line.ts";
import { readGitArguments } from "../../../core/shell/git/arguments.ts";
import { findGitRule } from "../../../core/shell/git/hazards.ts";
import { type GitCall, readGitCall } from "../../../core/shell/git-call.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import type { StepSubject } from "../../../core/step/envelope.ts";
import { readGitAliases } from "../../match/git-alias.ts";
import { absolutePath } from "../../match/paths.ts";
import { TooMuchToLookAt } from "../files/look-limit.ts";
import { type GitQueryOptions, queryGit } from "../query-git.ts";
import { findFileWith } from "./read-file.ts";
import { holdsSecret } from "./written-texts.ts";

type Git = Omit<GitQueryOptions, "cwd">;

interface PlacedCall {
  readonly subcommand: string;
  readonly words: readonly string[];
  /** Beside what is staged it takes what is only changed. */
  readonly takesChanges: boolean;
  /** Words come from elsewhere, or are known only when it runs. */
  readonly isOpen: boolean;
  /** Where it may run, null for anywhere. */
  readonly places: readonly (string | null)[];
}

/** Whether the line has git make a commit: then what it writes before is recorded with it. */
export const recordsCommit = (calls: readonly PlacedCall[]): boolean =>
  calls.some(({ subcommand }) => RECORDING.test(subcommand));

/** Whether what a substitution reads becomes the text of a tag or a note, or a name that is pushed. */
export const recordsText = (calls: readonly PlacedCall[]): boolean =>
  calls.some(({ subcommand, isOpen }) => isOpen && /^(?:tag|notes|branch)$/.test(subcommand));

const RECORDING = /^(?:commit|commit-tree|write-tree|am|fast-import)$/;
const PUSHING = /^(?:push|send-pack|http-push)$/;
const ADDING = /^(?:add|stage|update-index|rm|mv|stash)$/;
/** Of these git is asked what they would take. */
const ASKED = new RegExp(`${RECORDING.source}|${ADDING.source}|${PUSHING.source}`);
/** Their words are files whose content is taken. */
const TAKING = /^(?:apply|am|hash-object|update-index|commit|tag|notes|fast-import)$/;

export function gitCalls(line: LineAnalysis, subject: StepSubject): PlacedCall[] {
  const lines = [line, ...fedLines(line), ...readGitAliases(line, subject).lines];
  return lines.flatMap(({ commands }) =>
    commands.flatMap((command) => {
      const call = readGitCall(command);
      if (call === null) return [];
      const { args, isOpen } = call;
      const { subcommand, words } = asRecorded(
        // What comes from elsewhere may be any.
        call.subcommand ?? "commit",
        args.map(({ text }) => text),
      );
      const places = placesOf(command, call, subject);
      return [{ subcommand, words, isOpen, takesChanges: takesChanges(call), places }];
    }),
  );
}

/** `echo 'git commit' | sh`. */
const fedLines = ({ unsure, commands }: LineAnalysis): LineAnalysis[] =>
  unsure.some(({ kind }) => kind === "shell-input")
    ? commands.flatMap(({ words: [program, ...words] }) =>
        /^(?:echo|printf)$/.test(program?.text ?? "")
          ? words.flatMap(({ text }) => (/\bgit\b/.test(text) ? [analyzeLine(text)] : []))
          : [],
      )
    : [];

/** `git merge --continue` makes the commit, and `git subtree push` pushes. */
function asRecorded(subcommand: string, words: readonly string[]) {
  const isCommit = CONTINUED.test(subcommand) && words.includes("--continue");
  if (isCommit) return { subcommand: "commit", words: [] };
  const isPush = subcommand === "subtree" && words.includes("push");
  return isPush ? { subcommand: "push", words: [] } : { subcommand, words };
}

const CONTINUED = /^(?:merge|rebase|cherry-pick|revert)$/;

/** What a server's tool of such a name does by itself, with nothing of it in a line. */
export function callsByName(tool: string, places: readonly string[]): PlacedCall[] {
  const [, subcommand] = /git\w{0,40}?(commit|push)$/i.exec(tool) ?? [];
  if (subcommand === undefined) return [];
  const call = { subcommand: subcommand.toLowerCase(), words: [], isOpen: false };
  return [{ ...call, takesChanges: true, places }];
}

function takesChanges({ subcommand, args, takesMoreWords }: GitCall): boolean {
  const rule = subcommand === "commit" ? findGitRule(subcommand) : undefined;
  if (rule === undefined) return false;
  const reading = readGitArguments(args, rule.options, takesMoreWords);
  return (
    reading.operands.length + (reading.paths?.length ?? 0) + reading.unknown.length > 0 ||
    reading.hidden !== null ||
    reading.has("all", "patch", "interactive", "include", "only", "pathspec-from-file")
  );
}

function placesOf(command: SimpleCommand, call: GitCall, subject: StepSubject): (string | null)[] {
  const isOpen = call.folders.some((folder) => /[$`*?]|^\/+proc\//.test(folder));
  const named = isOpen ? null : call.isElsewhere ? worktreeOf(command) : [];
  return command.folders.map((folder) => {
    if (folder === null || named === null) return null;
    const from = folder.replace(/^~(?=\/|$)/, subject.home);
    return resolve(subject.envelope.cwd, from, ...call.folders, ...named);
  });
}

/** The folder that `--git-dir`, `--work-tree` or their variables name; null where it cannot be read. */
function worktreeOf({ words, assignments }: SimpleCommand): string[] | null {
  const texts = words.map(({ text, kind }) => (kind === "literal" ? text : "$"));
  const given = (option: string, variable: string): string | undefined => {
    const at = texts.indexOf(option);
    const attached = texts.find((text) => text.startsWith(`${option}=`));
    const set = assignments.find(({ name }) => name === variable)?.value;
    return (
      attached?.slice(option.length + 1) ??
      (at === -1 ? undefined : texts[at + 1]) ??
      (set === undefined || set.kind === "literal" ? set?.text : "$")
    );
  };
  // Another index or another store of objects is not looked at.
  if (assignments.some(({ name }) => /^GIT_(?:INDEX|OBJECT|ALTERNATE|COMMON)/.test(name)))
    return null;
  const tree = given("--work-tree", "GIT_WORK_TREE");
  const folder = given("--git-dir", "GIT_DIR");
  const found = tree ?? (folder === undefined ? undefined : dirname(join(folder, ".")));
  if (found === undefined) return [];
  return found.includes("$") ? null : [found];
}

/** Where the secret is, null where there is none. */
export async function findRecorded(calls: readonly PlacedCall[], git: Git): Promise<string | null> {
  const isRecording = recordsCommit(calls);
  const asked = new Set<string>();
  for (const call of calls) {
    for (const cwd of call.places) {
      const isMeant = PUSHING.test(call.subcommand) || isRecording;
      if (!isMeant && (cwd === null || !TAKING.test(call.subcommand))) continue;
      if (cwd === null) throw new TooMuchToLookAt("which repository it means is not known");
      const taken = TAKING.test(call.subcommand) ? findInNamed(call, cwd) : null;
      if (taken !== null) return taken;
      if (!isMeant || !ASKED.test(call.subcommand)) continue;
      // However often a line commits in a folder, what is there is looked at once.
      const isCommit = RECORDING.test(call.subcommand);
      const what = isCommit ? ["commit", String(call.takesChanges)] : call.words;
      const key = [cwd, isCommit ? "" : call.subcommand, ...what].join("\0");
      if (asked.has(key)) continue;
      asked.add(key);
      if (asked.size > MAX_CALLS) throw new TooMuchToLookAt("it calls git too often");
      const found = await findInCall(call, { ...git, cwd });
      if (found !== null) return found;
    }
  }
  return null;
}

async function findInCall(call: PlacedCall, query: GitQueryOptions): Promise<string | null> {
  const { subcommand } = call;
  if (PUSHING.test(subcommand)) return findInPush(call, query);
  if (RECORDING.test(subcommand)) {
    if (await diffHolds(["--cached"], query)) return "what is staged";
    return call.takesChanges && (await diffHolds([], query)) ? "what is changed" : null;
  }
  return ADDING.test(subcommand) ? findInAdded(call, query) : null;
}

/** `-F file`, and the words that are files. */
function findInNamed({ words, subcommand }: PlacedCall, cwd: string): string | null {
  const paths = words.flatMap((word) => {
    const attached = /^(?:-F|--file=|--template=|-t)(.+)$/.exec(word)?.[1];
    return [word, ...(attached === undefined ? [] : [attached])];
  });
  const context = { folder: cwd, home: cwd };
  const few = paths.filter((word) => word.length < 4_096).slice(0, MAX_NAMED);
  const found = findFileWith(
    few.map((path) => absolutePath(path, context)),
    (text) => holdsSecret(/^(?:apply|am)$/.test(subcommand) ? addedLines(text) : text),
  );
  return found === null ? null : `\`${found}\``;
}

const MAX_NAMED = 100;
/** Each is asked about by up to three processes. */
const MAX_CALLS = 40;

const QUIET = ["--no-color", "--unified=0", "--text", "--no-ext-diff", "--no-textconv"];
const MAX_DIFF_BYTES = 67_108_864;

const diffHolds = async (args: readonly string[], query: GitQueryOptions): Promise<boolean> =>
  holdsSecret(
    addedLines((await queryGit(["diff", ...QUIET, ...args], query, MAX_DIFF_BYTES)) ?? ""),
  );

/** All but what a patch takes out. */
const addedLines = (diff: string): string =>
  diff
    .split("\n")
    .flatMap((line) => (line.startsWith("-") ? [] : line.replace(/^\++/, "")))
    .join("\n");

/** Of what the call adds: what is changed, and the new files; those that are ignored only by force. */
async function findInAdded(call: PlacedCall, query: GitQueryOptions): Promise<string | null> {
  const { words, isOpen } = call;
  const named = words.filter((word) => !word.startsWith("-") && !word.startsWith(":"));
  const isAll =
    isOpen || named.length === 0 || named.length > MAX_NAMED || /^stash$/.test(call.subcommand);
  const paths = isAll ? [] : ["--", ...named];
  if (await diffHolds(paths, query)) return "what is changed";
  const isForced = words.some((word) => /^(?:-[a-zA-Z]*f|--force)/.test(word));
  const ignoring = isForced && !isAll ? [] : ["--exclude-standard"];
  const listed = await queryGit(
    ["ls-files", "--others", ...ignoring, "-z", ...paths],
    query,
    MAX_DIFF_BYTES,
  );
  const names = (listed ?? "").split("\0").filter((name) => name !== "");
  const found = findFileWith(
    names.map((name) => join(query.cwd, name)),
    holdsSecret,
  );
  return found === null ? null : `\`${found.slice(query.cwd.length + 1)}\``;
}

const MAX_SOURCES = 32;
const LOG = [
  ...["log", "-p", "--cc", ...QUIET, "--no-notes", "--no-decorate", "--ignore-submodules=all"],
  ...["--format=%B", "--ignore-missing"],
];

/** The commits that no remote has, asked for at once however many words there are. */
async function findInPush(
  { words, isOpen }: PlacedCall,
  query: GitQueryOptions,
): Promise<string | null> {
  const [, ...refspecs] = words.filter((word) => !word.startsWith("-"));
  const sources = refspecs
    .map((refspec) => refspec.replace(/^[+^]/, "").replace(/:.*$/s, ""))
    .filter((source) => source !== "" && source !== "tag");
  const isAll =
    isOpen ||
    sources.length > MAX_SOURCES ||
    words.some((word) => /^--(?:all|branches|mirror|tags|follow-tags)$/.test(word));
  const isDelete = refspecs.length > 0 && sources.length === 0;
  if (isDelete || words.some((word) => /^(?:-d|--delete)$/.test(word))) return null;
  // A pattern stands for many, and what is not there yet the line may make of anything.
  const areKnown = isAll || (await queryGit(["rev-parse", ...sources, "--"], query)) !== null;
  const from =
    isAll || !areKnown
      ? ["--branches", "--tags", "HEAD"]
      : sources.length === 0
        ? ["HEAD"]
        : sources;
  const text = await queryGit([...LOG, ...from, "--not", "--remotes", "--"], query, MAX_DIFF_BYTES);
  return holdsSecret(addedLines(text ?? "")) ? "the commits that are pushed" : null;
}
