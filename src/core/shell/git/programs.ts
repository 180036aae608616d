// Where a call of git has other programs run, or files written, by options, settings and variables.
import type { LineAssignment, ShellWord } from "../simple-command.ts";
import { type GitHazard, hazard, NO_HAZARDS } from "./hazard.ts";

export interface GitSetting {
  /** In small letters; `*` where it can be any. */
  readonly name: string;
  readonly value: string | null;
}

/** Settings whose value git runs, by which another subcommand hides behind a name, or a push goes elsewhere. */
const RUNNING =
  /^(\*|alias\..*|include\.path|includeif\..*|core\.(pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|attributesfile|worktree)|pager\..*|sequence\.editor|diff\.external|diff\..*\.(command|textconv)|difftool\..*|mergetool\..*|merge\..*\.driver|(diff|merge)\.(gui)?tool|filter\..*|credential\..*|gpg\..*|remote\..*\.(uploadpack|receivepack|vcs|push|mirror|url|pushurl|proxy)|uploadpack\..*|receive\..*|protocol\..*|web\.browser|browser\..*|man\..*|help\..*|interactive\.difffilter|sendemail\..*|imap\..*|push\.(default|gpgsign|recursesubmodules)|url\..*|branch\..*\.(merge|pushremote|remote)|remote\.pushdefault|submodule\..*|trailer\..*|init\.templatedir|hook\..*|gc\..*|safe\..*|extensions\..*|fetch\.(prune|prunetags)|remote\..*\.(fetch|prune|prunetags|tagopt)|tar\..*|instaweb\..*|core\.(sparsecheckout|trustctime|checkstat|ignorestat|bare|repositoryformatversion))$/;
/** Of these the value is a line for a shell. */
export const HOLDS_LINE =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\..*|sequence\.editor|diff\.external|diff\..*\.(command|textconv)|(diff|merge)tool\..*\.cmd|merge\..*\.driver|filter\..*\.(clean|smudge|process)|credential\.(.*\.)?helper|remote\..*\.(uploadpack|receivepack)|uploadpack\.packobjectshook|interactive\.difffilter|trailer\..*\.(command|cmd)|hook\..*\.command|tar\..*\.command|(browser|man)\..*\.cmd|submodule\..*\.update)$/;
const QUIET_VALUE = /^(|cat|true|false|:|echo|less|more|vi|vim|nano|0|1|no|yes|off|on)$/i;
/** Set to one of the quiet values, these run nothing. */
const QUIETABLE =
  /^(core\.(pager|editor|fsmonitor|askpass|sparsecheckout|trustctime)|pager\..*|sequence\.editor|help\.autocorrect|credential\..*helper|gc\.auto|push\.gpgsign|interactive\.difffilter|protocol\.version|safe\.directory)$/;
const OTHERWISE_QUIET: readonly (readonly [RegExp, RegExp])[] = [
  [/^core\.hookspath$/, /^(|\/dev\/null)$/],
  [/^push\.default$/, /^(simple|current|nothing)$/],
  [/^protocol\.(file|https?|ssh|git)?\.?(allow|version)$/, /^(always|never|user|0|1|2)$/],
  [/^safe\.directory$/, /./],
  [/^gc\..*expire(unreachable)?$/, /^never$/],
  [/^credential\.helper$/, /^(|store|cache( --timeout=\d+)?|osxkeychain|manager)$/],
];

/** A setting that git would run or be led elsewhere by; `-c core.pager=cat` is what agents write to be sure of none. */
export function hidesByValue({ name, value }: GitSetting): boolean {
  if (!RUNNING.test(name)) return false;
  if (value === null) return true;
  if (QUIETABLE.test(name) && QUIET_VALUE.test(value)) return false;
  return !OTHERWISE_QUIET.some(([names, values]) => names.test(name) && values.test(value));
}

const PLAIN_VARIABLE =
  /^GIT_(AUTHOR_\w+|COMMITTER_\w+|TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|PAGER_IN_USE|SSL_NO_VERIFY|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|CEILING_DIRECTORIES|LFS_SKIP_SMUDGE|CONFIG_NOSYSTEM|NO_LAZY_FETCH|NO_REPLACE_OBJECTS|FLUSH|REFLOG_ACTION|DEFAULT_HASH|ADVICE|HTTP_\w+|DISCOVERY_ACROSS_FILESYSTEM|PRINT_SHA1_ELLIPSIS|ATTR_NOSYSTEM)$/;
/** Where the repository is not that of the folder. */
export const MOVING_VARIABLE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;
const QUIET_PROGRAM =
  /^(|cat|true|false|:|echo|less( -\S+)*|more|vi|vim|nano|ssh( [-\w./=@:~%+,]+)*|\/bin\/(cat|true|false))$/;
/** What ssh itself runs, or reads from a file that says so. */
const SSH_PROGRAM = /command=| -F/i;
/** A list of commits whose verbs are changed keeps every commit. */
const KEEPS_COMMITS =
  /^sed -i(\.\w+)? (-e )?['"]?(\d+,?[\d$]*)?s[/|]\^?(pick|p)\b[/|](squash|fixup|reword|edit|s|f|r|e)[/|]g?['"]?$/;
const TRACES = /^GIT_TRACE/;

/** The variable that has git run or write something, null where all are plain. */
export function findHidingVariable(assignments: readonly LineAssignment[]): string | null {
  const found = assignments.find(({ name, value }) => {
    if (/^(LD_|DYLD_)/.test(name)) return true;
    // Another home has other settings, and aliases.
    if (name === "HOME" || name === "XDG_CONFIG_HOME") return true;
    const isProgram = /^(PAGER|EDITOR|VISUAL|SSH_ASKPASS|BROWSER)$/.test(name);
    if (!isProgram && !name.startsWith("GIT_")) return false;
    if (PLAIN_VARIABLE.test(name) || MOVING_VARIABLE.test(name)) return false;
    if (value.kind !== "literal") return true;
    if (TRACES.test(name)) return !/^(\d|true|false|)$/.test(value.text);
    if (name === "GIT_CONFIG_GLOBAL" || name === "GIT_CONFIG_SYSTEM")
      return value.text !== "/dev/null";
    if (name === "GIT_CONFIG_COUNT") return value.text !== "0";
    if (name === "GIT_SEQUENCE_EDITOR" && KEEPS_COMMITS.test(value.text)) return false;
    const isQuiet = isProgram || /(PAGER|EDITOR|ASKPASS|SSH_COMMAND|SSH)$/.test(name);
    return !(isQuiet && QUIET_PROGRAM.test(value.text)) || SSH_PROGRAM.test(value.text);
  });
  return found?.name ?? null;
}

/** Options that name a program, by subcommand; a short one takes the rest of its word or the next. */
const PROGRAM_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["push", /^--(rece|exec)/],
  ["fetch", /^--upl/],
  ["pull", /^--upl/],
  ["clone", /^(--upl|-[a-z]*[uc]|--conf|--templ|--bundle-uri)/],
  ["init", /^--templ/],
  ["ls-remote", /^--(upl|exec)/],
  ["archive", /^--(exec|remote)/],
  ["grep", /^(--open|-[a-zA-Z]*O)/],
  ["submodule", /^--(reference|update)/],
  ["interpret-trailers", /^--in-pl/],
  ["notes", /^--(no-)?allow-nothing$/],
  ["help", /^(-w|--web|-i|--info)/],
]);

const RUNS_PROGRAM = "it has a program run that git does not look at";

/** Subcommands that serve, run or schedule programs, or speak to other systems. */
const RUNNING_COMMANDS: ReadonlySet<string> = new Set(
  `difftool mergetool instaweb send-email imap-send svn p4 cvsimport cvsexportcommit cvsserver archimport quiltimport
   gui citool gitk web--browse hook for-each-repo credential credential-store credential-cache daemon http-backend
   shell upload-pack upload-archive merge-index merge-one-file fsmonitor--daemon submodule--helper sh-setup
   rebase--helper remote-http remote-https remote-ftp remote-ftps http-fetch checkout--worker backfill
   mergetool--lib sh-i18n--envsubst`.split(/\s+/),
);

export function programHazards(
  subcommand: string,
  words: readonly ShellWord[],
): readonly GitHazard[] {
  if (RUNNING_COMMANDS.has(subcommand)) return [hazard(null, RUNS_PROGRAM)];
  const texts = words.map(({ text }) => text);
  const end = texts.indexOf("--");
  const options = end === -1 ? texts : texts.slice(0, end);
  const takes = PROGRAM_OPTIONS.get(subcommand);
  const found: GitHazard[] = [];
  if (takes !== undefined && options.some((text) => takes.test(text)))
    found.push(hazard(null, RUNS_PROGRAM));
  if (texts.some((text) => /^[\w+.-]+::/.test(text) && !text.startsWith("http")))
    if (/^(fetch|pull|push|clone|ls-remote|archive|submodule|remote)$/.test(subcommand))
      found.push(hazard(null, "the address runs a program"));
  return [...found, ...outputHazards(subcommand, texts)];
}

const WRITES_BY_LETTER: ReadonlySet<string> = new Set(["archive", "bugreport", "diagnose"]);

/** `--output=FILE` writes over whatever is there. */
function outputHazards(subcommand: string, texts: readonly string[]): readonly GitHazard[] {
  const found = texts.flatMap((text, index): string[] => {
    if (/^--outp?u?t?$/.test(text)) return [texts[index + 1] ?? ""];
    const inline = /^--(?:outp?u?t?|export-marks|index-output)=([\s\S]*)$/.exec(text)?.[1];
    if (inline !== undefined) return [inline];
    if (!WRITES_BY_LETTER.has(subcommand) || !/^-o/.test(text)) return [];
    return [text === "-o" ? (texts[index + 1] ?? "") : text.slice(2)];
  });
  const bundle =
    subcommand === "bundle" && texts[0] === "create"
      ? texts.find((text, at) => at > 0 && !text.startsWith("-"))
      : undefined;
  const files = bundle === undefined ? found : [...found, bundle];
  if (files.length === 0) return NO_HAZARDS;
  return files
    .filter((path) => path !== "-" && path !== "/dev/null")
    .map((path) => hazard("discard", `\`${path}\` is overwritten`, { kind: "absent", path }));
}
