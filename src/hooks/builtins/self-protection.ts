// Keeps an agent from switching its guards off: Adjutant's own folders, its entries in agents' files, a project's hooks
// and what they run, and the commands that are a person's. It is no user's rule: it is there with the first guard.
import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isPersonLine } from "../../core/command/person.ts";
import { analyzeLine, analyzeStepLine } from "../../core/shell/analyze-line.ts";
import type { LineAnalysis, ShellWord, SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { Verdict } from "../../core/step/verdict.ts";
import { absolutePath, type PathContext } from "../match/paths.ts";
import { type Builtin, type BuiltinContext, NO_INTERVENTION, vetoBecause } from "./builtin.ts";
import { TooMuchToLookAt } from "./files/look-limit.ts";
import { linesIn } from "./files/tool-files.ts";
import { protectPaths } from "./protect-paths.ts";

export interface SelfOptions {
  /** Adjutant's own folders, and a project's hooks with what they run. */
  readonly own: readonly string[];
  /** Agents' settings: refused where they hold our entries, asked elsewhere. */
  readonly settings: readonly string[];
}

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];
const READ_ONLY: ReadonlySet<string | undefined> = new Set(["read", "search", "fetch"]);

export const selfProtection: Builtin<SelfOptions> = {
  name: "self-protection",
  description: "keeps Adjutant's own files, its entries and a person's commands from the agent",
  steps: STEPS,
  async decide({ own, settings }, subject, context) {
    if (READ_ONLY.has(subject.envelope.kind)) return NO_INTERVENTION;
    try {
      const refused = refusePersonCall(subject);
      if (refused !== null) return refused;
    } catch (error) {
      if (!(error instanceof TooMuchToLookAt)) throw error;
      return vetoBecause(`it cannot be said what it runs: ${error.message}`);
    }
    const entries = settings.filter(holdsEntry);
    const others = settings.filter((file) => !entries.includes(file));
    const denied = await protect([...own, ...entries], "deny", { subject, context });
    if (denied.control === "veto" || others.length === 0) return denied;
    const asked = await protect(others, "ask", { subject, context });
    return Object.keys(denied).length > 0 ? denied : asked;
  },
};

function refusePersonCall(subject: StepSubject): Verdict | null {
  const { kind = "other", args = {}, cwd } = subject.envelope;
  const isForeign = subject.line === null && (kind === "mcp" || kind === "other");
  const lines = isForeign
    ? linesIn(args).map(analyzeLine)
    : [analyzeStepLine(subject) ?? []].flat();
  const context = { folder: cwd, home: subject.home };
  const call = lines.map((line) => findPersonCall(line, context)).find((found) => found !== null);
  if (call === undefined) return null;
  return vetoBecause(`\`${call}\` is for a person to run, outside the agent; ask for it in words`);
}

const REASON: Readonly<Record<"deny" | "ask", string>> = {
  deny: "it belongs to the guards of this agent, so a person changes it",
  ask: "it decides which hooks an agent calls",
};

/** A second name for a file is as good as the file. */
const LINKS = /(?:^|[\s;&|(/])(?:ln|link|mount)\s/;
const COPIES = /(?:^|[\s;&|(/])cp\s/;
const COPIES_AS_LINK = /\s(?:-[a-zA-Z]{0,20}l[a-zA-Z]{0,20}|--link)(?:\s|$)/;

const makesLink = (line: string): boolean =>
  LINKS.test(line) || (COPIES.test(line) && COPIES_AS_LINK.test(line));

function protect(
  paths: readonly string[],
  action: "deny" | "ask",
  { subject, context }: { readonly subject: StepSubject; readonly context: BuiltinContext },
): Verdict | Promise<Verdict> {
  const isLinking = makesLink(subject.line ?? "");
  const options = {
    paths: paths.map((path) => path.replace(/[*?[{\\]/g, "\\$&")),
    access: isLinking ? (["read", "write"] as const).slice() : (["write"] as const).slice(),
    except: [],
    action,
    reason: REASON[action],
    unsure: "ask" as const,
    interpreters: "pass" as const,
  };
  return protectPaths.decide(options, subject, context);
}

const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

function holdsEntry(file: string): boolean {
  try {
    const text = readFileSync(file, "utf8").slice(0, MAX_SETTINGS_BYTES);
    return /adj['"\\]*\s+hook\s|adj-hook|127\.0\.0\.1:\d+\/hook\/|adjutant/.test(text);
  } catch {
    return false;
  }
}

// Whether a shell line calls this program for something that only a person may do.

/** The call as it stands in the line; null where there is none. */
function findPersonCall(line: LineAnalysis, context: PathContext, depth = 0): string | null {
  for (const command of line.commands) {
    const words = wordsBehindProgram(command, context);
    if (words !== null && isPersonLine(words)) return command.text;
  }
  const isCarried = depth < MAX_DEPTH && line.commands.some(isCarrier);
  for (const text of isCarried ? line.commands.flatMap(textsOf) : []) {
    const inner = findPersonCall(analyzeLine(text), context, depth + 1);
    if (inner !== null) return inner;
  }
  return null;
}

const MAX_DEPTH = 3;

const textOf = ({ text, kind }: ShellWord): string | null => (kind === "open" ? null : text);

/** Null where the command is not this program, by whatever name and through whatever runner. */
function wordsBehindProgram(
  { words }: SimpleCommand,
  context: PathContext,
): (string | null)[] | null {
  const [first, ...rest] = words;
  if (first === undefined) return null;
  const virtual = /^adj-([a-z][a-z0-9-]*)$/.exec(basename(first.text))?.[1];
  if (virtual !== undefined && virtual !== "hook") return ["run", virtual, ...rest.map(textOf)];
  if (isOwnProgram(first, context)) return rest.map(textOf);
  if (!RUNNERS.test(basename(first.text))) return null;
  const at = rest.findIndex((word) => isOwnProgram(word, context) || PACKAGE.test(word.text));
  return at === -1 ? null : skipEnd(rest.slice(at + 1)).map(textOf);
}

/** Programs that run another one that stands among their words. */
const RUNNERS =
  /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|deno|node|nodejs|tsx|sh|bash|dash|zsh|ksh|busybox|systemd-run|docker|podman|ssh|su|runuser|doas|at|batch|tmux|screen|script|expect|unshare|nsenter|chroot|bwrap|firejail|strace|ltrace|gdb|watch|parallel|entr|flock)$/;
const PACKAGE = /^adjutant(?:@[\w.^~-]+)?$/;

const skipEnd = (words: readonly ShellWord[]): readonly ShellWord[] =>
  words[0]?.text === "--" ? words.slice(1) : words;

const NAMES = /^adj(?:\.[cm]?js)?$/;

/** By its name, or by a link or path that leads to where this very program lies. */
function isOwnProgram({ text, kind }: ShellWord, context: PathContext): boolean {
  // `$(which adj)`
  if (kind === "open") return /\badj[\s)`"']*$/.test(text);
  if (NAMES.test(basename(text))) return true;
  if (!text.includes("/")) return false;
  try {
    const path = realpathSync.native(absolutePath(text, context));
    return NAMES.test(basename(path)) || dirname(path) === OWN_FOLDER;
  } catch {
    return false;
  }
}

const OWN_FOLDER = dirname(process.argv[1] ?? "/");

/** Lines that a program is told to have run by somebody else: in a terminal, later, or on another machine. */
const CARRIERS =
  /^(?:tmux|screen|zellij|at|batch|crontab|systemd-run|script|expect|ssh|su|runuser|docker|podman|osascript|xdotool|wtype|ydotool)$/;

const isCarrier = ({ words }: SimpleCommand): boolean =>
  CARRIERS.test(basename(words[0]?.text ?? ""));

/** Also of the other commands of the line: `echo … | at now`. */
function textsOf({ words, redirections }: SimpleCommand): string[] {
  const bodies = redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : []));
  const texts = [...words.slice(1).map(({ text }) => text), ...bodies];
  const lines = texts.filter((text) => /\badj\b/.test(text) && /\s/.test(text));
  // Before a job of cron stands when it is run.
  return lines.flatMap((text) => [text, text.slice(text.search(/\badj\b/))]);
}
