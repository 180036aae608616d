// How dangerous a step, a shell line or one simple command is. Conservative: what is not known may change something.
import { SAFETIES, type StepSafety, type StepSubject, type ToolKind } from "../step/envelope.ts";
import { analyzeStepLine } from "./analyze-line.ts";
import { classifyGit } from "./git/safety.ts";
import { PROGRAM_SAFETY } from "./program-safety.ts";
import { type OptionRule, proveWords } from "./reading/option-rule.ts";
import { provesReading } from "./reading/reading-programs.ts";
import type { LineAnalysis, LineRedirection, SimpleCommand, UnsureKind } from "./simple-command.ts";
import { unwrapShell } from "./wrappers/unwrap-shell.ts";
import {
  COMMAND_VARIABLES,
  divertsPrograms,
  HARMLESS_VARIABLES,
  SHELLS,
} from "./wrappers/wrappers.ts";

const BY_KIND: Readonly<Record<ToolKind, StepSafety>> = {
  shell: "mutating",
  read: "read_only",
  search: "read_only",
  fetch: "network",
  write: "mutating",
  edit: "mutating",
  mcp: "mutating",
  agent: "mutating",
  other: "mutating",
};

/** How dangerous the tool call of a step is; a step without a tool counts as unknown. */
export function classifyStep(subject: StepSubject, agentPrograms: ReadonlySet<string>): StepSafety {
  const line = analyzeStepLine(subject);
  if (line !== null) return classifyLine(line, agentPrograms);
  return BY_KIND[subject.envelope.kind ?? "other"];
}

/** A line is as dangerous as its most dangerous simple command; what nobody can know is not reading. */
function classifyLine(
  { commands, problem, unsure }: LineAnalysis,
  agentPrograms: ReadonlySet<string>,
): StepSafety {
  if (problem !== null) return "destructive";
  return worstOf([
    ...commands.map((command) => classifyCommand(command, agentPrograms)),
    ...unsure.map(({ kind }) => BY_UNSURE[kind]),
  ]);
}

/** A redirection counts by what it does. */
const BY_UNSURE: Readonly<Record<UnsureKind, StepSafety>> = {
  program: "destructive",
  "shell-input": "destructive",
  "written-script": "mutating",
  "sourced-file": "mutating",
  interpreter: "mutating",
  expression: "mutating",
  redirect: "read_only",
};

function worstOf(safeties: Iterable<StepSafety>): StepSafety {
  let worst = 0;
  for (const safety of safeties) worst = Math.max(worst, SAFETIES.indexOf(safety));
  return SAFETIES[worst] ?? "destructive";
}

/** The programs of agents are told, since this table knows none: asked for their version they only print it. */
export function classifyCommand(
  command: SimpleCommand,
  agentPrograms: ReadonlySet<string>,
): StepSafety {
  return worstOf([
    classifyProgram(command, agentPrograms),
    ...command.redirections.map(classifyRedirection),
    ...classifyAssignments(command),
  ]);
}

/** A variable that is given to a program must be known to be harmless; one of the shell's own must not divert. */
function classifyAssignments({ assignments, words, form }: SimpleCommand): StepSafety[] {
  const name = words[0]?.text ?? "";
  const isGiven = words.length > 0 && !KEEPS_VARIABLES.has(name);
  return assignments.map((assignment): StepSafety => {
    if (divertsPrograms(assignment))
      return assignment.name === "IFS" && name === "read" ? "read_only" : "mutating";
    if (!isGiven || form !== "typed" || HARMLESS_VARIABLES.test(assignment.name))
      return "read_only";
    return COMMAND_VARIABLES.has(assignment.name) ? "read_only" : "mutating";
  });
}

/** The shell's own commands that take assignments as words. */
const KEEPS_VARIABLES: ReadonlySet<string> = new Set([
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
  "alias",
]);

function classifyProgram(command: SimpleCommand, agentPrograms: ReadonlySet<string>): StepSafety {
  const [first, ...rest] = command.words;
  if (first === undefined) return "read_only";
  if (first.kind !== "literal") return "destructive";
  // The same command stands in the list under its plain name, which says nothing of `./ls`.
  if (first.text.includes("/")) return SYSTEM_PROGRAM.test(first.text) ? "read_only" : "mutating";
  const git = classifyGit(command);
  if (git !== null) return git;
  const name = first.text.toLowerCase();
  const args = rest.map((word) => word.text);
  if (asksVersion(name, args, agentPrograms)) return "read_only";
  const safety = classifyByName(name, args, command);
  // A file system may tell `LS` from `ls`.
  return safety === "read_only" && name !== first.text ? "mutating" : safety;
}

const SYSTEM_PROGRAM = /^\/(usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\/[^/]+$/;

function classifyByName(name: string, args: readonly string[], command: SimpleCommand): StepSafety {
  const judged = PROGRAM_SAFETY.get(name)?.(args);
  if (judged === "mutating" || judged === "destructive") return judged;
  if (DESTRUCTIVE.has(name) || name.startsWith("mkfs.")) return "destructive";
  if (judged === "network" || NETWORK.has(name))
    return provesNetwork(name, command) ? "network" : "mutating";
  // `sh -c` is as dangerous as its line, which is looked at by itself; a script's file is unknown.
  if (SHELLS.has(name))
    return isPlainShell(command) || onlyParses(name, command) ? "read_only" : "mutating";
  return provesReading(name, command) ? "read_only" : "mutating";
}

/** Start-up files and the like would run besides the line. */
const isPlainShell = (command: SimpleCommand): boolean => {
  const lines = unwrapShell(command);
  const hasLine = lines.length > 0 && lines.every(({ kind }) => kind === "text");
  const options = command.words.slice(
    1,
    1 + command.words.slice(1).findIndex(({ text }) => !/^[-+]/.test(text)),
  );
  return hasLine && options.every(({ text, kind }) => kind === "literal" && PLAIN_SHELL.test(text));
};
/** `bash -n FILE`; zsh reads a start-up file all the same. */
const onlyParses = (name: string, { words, takesMoreWords }: SimpleCommand): boolean =>
  /^(ba|da)?sh$/.test(name) &&
  !takesMoreWords &&
  words[1]?.text === "-n" &&
  words.length > 2 &&
  words.slice(1).every(({ kind }) => kind === "literal") &&
  words.slice(2).every(({ text }) => !/^[-+]/.test(text));
const PLAIN_SHELL = /^(-[ceuxlpf]+|-o|--login|--norc|--noprofile|--posix|--no-rcs|--)$/;

const VERSION_WORDS: Readonly<Record<string, RegExp>> = {
  "--version": /./,
  "--help": /^(?!(make|git|perl|bash|sh|dash|zsh)$)/,
  "-v": /^(node|npm|npx|pnpm|php|ruby|perl|make|cmake|gcc|g\+\+|clang|cc|tsc|eslint|docker|kotlin)$/,
  "-V": /^(python[\d.]*|pip3?|curl|ssh|wget|psql|mysql|cargo|rustc|uv|poetry)$/,
  "-version": /^(java|javac)$/,
  version: /^(go|docker|helm|terraform|cargo|gh|npm)$/,
};

/** With nothing but that question a program only prints; `bash -v` and `python -v` ask another. */
function asksVersion(
  name: string,
  args: readonly string[],
  agentPrograms: ReadonlySet<string>,
): boolean {
  const [word = ""] = args;
  if (args.length !== 1 || !Object.hasOwn(VERSION_WORDS, word)) return false;
  if (agentPrograms.has(name)) return word !== "version";
  return VERSIONED.has(name) && VERSION_WORDS[word]?.test(name) === true;
}

const QUIET_DEVICES = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+|zero|full)$/;

function classifyRedirection(redirection: LineRedirection): StepSafety {
  if (redirection.kind === "text") return "read_only";
  const { target, writes } = redirection;
  if (/^\/dev\/(tcp|udp)\//.test(target.text)) return "network";
  if (!writes || (target.kind === "literal" && QUIET_DEVICES.test(target.text))) return "read_only";
  return /^\/dev\/(?!shm\/)/.test(target.text) ? "destructive" : "mutating";
}

// The rest of the file says how dangerous a program is by its name alone.
const words = (text: string): string[] => text.trim().split(/\s+/);

export const NETWORK: ReadonlySet<string> = new Set(
  words(
    "ping ping6 dig nslookup host traceroute tracepath mtr whois telnet nc ncat netcat socat lynx w3m",
  ),
);

export const DESTRUCTIVE: ReadonlySet<string> = new Set(
  words(`
  rm unlink shred srm wipe wipefs mkfs mkswap fdisk sfdisk gdisk sgdisk parted cfdisk blkdiscard
  truncate shutdown reboot halt poweroff init userdel groupdel deluser delgroup dropdb dropuser
  killall pkill trash cryptsetup lvremove vgremove pvremove zpool diskutil hdparm bfg
`),
);

/** With nothing but a question for its version, each of these only prints. */
const VERSIONED: ReadonlySet<string> = new Set(
  words(`
  node npm npx pnpm bun deno python python2 python3 pip pip3 uv poetry ruby gem bundle perl php
  composer go cargo rustc rustup gcc g++ clang cc make cmake ninja java javac mvn gradle kotlin swift
  dotnet docker kubectl helm terraform aws gcloud az gh glab tsc eslint prettier biome vitest jest
  bash sh zsh dash curl wget ssh psql mysql sqlite3 redis-cli adj
`),
);

// Programs that go over the network and change nothing here, with the options for which that is so.

const CONNECTS: OptionRule = { flags: "vznu46", valued: "wp" };
const ASKS: OptionRule = {
  flags: "abcdfilnqrstv46CTNRUAVWh",
  valued: "wmpeg",
  words: /^-[\w=.:+-]+$/,
};

const NETWORK_RULES: Readonly<Record<string, OptionRule>> = {
  curl: {
    flags: "sSLfkiIvG46gNjlnq#0",
    valued: "HAmewouxb",
    long: `silent show-error location fail fail-with-body insecure include head verbose get ipv4 ipv6 compressed header=
      user-agent= max-time= connect-timeout= retry= retry-delay= retry-max-time= referer= url= http1.1 http2 user= proxy=
      globoff no-buffer max-redirs= resolve= progress-bar no-progress-meter range= cacert= tlsv1.2 tlsv1.3 ssl-reqd
      write-out= output= retry-all-errors retry-connrefused speed-time= speed-limit= path-as-is parallel`,
  },
  wget: {
    flags: "qSv46",
    valued: "TtU",
    long: "spider quiet server-response timeout= tries= user-agent= header= no-check-certificate max-redirect=",
  },
  ...{ nc: CONNECTS, ncat: CONNECTS, netcat: CONNECTS },
  ...{
    ping: ASKS,
    ping6: ASKS,
    dig: ASKS,
    nslookup: ASKS,
    host: ASKS,
    traceroute: ASKS,
    tracepath: ASKS,
    mtr: ASKS,
    whois: ASKS,
  },
};

/** Of programs that are taken by their verbs. */
const WRITES_OR_RUNS =
  /^--?(post-renderer|output-dir(ectory)?|out|kubeconfig|kuberc|plugin-dir|profile-output|log-(file|dir)|cache-dir|browser)(=|$)/;

const DISCARDING_TARGET = /^(\/dev\/null|-)$/;

/** Programs that are not listed are taken by what their verbs say. */
function provesNetwork(name: string, command: SimpleCommand): boolean {
  if (UNPROVEN.has(name)) return false;
  const rule = Object.hasOwn(NETWORK_RULES, name) ? NETWORK_RULES[name] : undefined;
  if (rule === undefined) return !command.words.some(({ text }) => WRITES_OR_RUNS.test(text));
  const proven = proveWords(command.words.slice(1), rule, command);
  if (proven === null) return false;
  return proven.values.every(({ option, word }) => {
    if (name === "curl" && /^(-o|--output)$/.test(option)) return DISCARDING_TARGET.test(word.text);
    // `%output{file}` writes, and `-w @file` may say so.
    return (
      !/^(-w|--write-out)$/.test(option) ||
      (word.kind === "literal" && !/%output|^@/.test(word.text))
    );
  });
}

/** These run programs or open a shell of their own. */
const UNPROVEN: ReadonlySet<string> = new Set(["socat", "telnet", "lynx", "w3m"]);
