// Keeps an agent from switching its guards off: Adjutant's own folders, its entries in agents' files, a project's hooks
// and what they run, and the commands that are a person's. It is no user's rule: it is there with the first guard.
import { analyzeLine, analyzeStepLine } from "../../core/shell/analyze-line.ts";
import type { LineAnalysis } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { Verdict } from "../../core/step/verdict.ts";
import {
  askBecause,
  type Builtin,
  type BuiltinContext,
  NO_INTERVENTION,
  vetoBecause,
} from "./builtin.ts";
import type { FileTouch } from "./files/file-touch.ts";
import { TooMuchToLookAt } from "./files/look-limit.ts";
import { codeLinesIn, linesIn } from "./files/tool-files.ts";
import { payloadTexts, textsIn } from "./payload-texts.ts";
import { decideOnFiles } from "./protect-paths.ts";
import { broughtTouches } from "./self/brought-settings.ts";
import {
  findDiversion,
  sendsElsewhere,
  setsForAgents,
  startUpFiles,
  VARIABLE_FILES,
} from "./self/diversions.ts";
import { findLostEntry, holdsEntry } from "./self/entries.ts";
import { commandsText, namedTouches, resolveOwn } from "./self/named-files.ts";
import { findPersonCall, laterLines } from "./self/person-call.ts";

export interface SelfOptions {
  /** Adjutant's own folders, and a project's hooks with what they run. */
  readonly own: readonly string[];
  /** Agents' settings: refused where they hold our entries, asked elsewhere. */
  readonly settings: readonly string[];
  /** How those of a project lie below any of its folders: an agent may be started there. */
  readonly nested: readonly string[];
}

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];
const READ_ONLY: ReadonlySet<string | undefined> = new Set(["read", "search", "fetch"]);

export const selfProtection: Builtin<SelfOptions> = {
  name: "self-protection",
  description: "keeps Adjutant's own files, its entries and a person's commands from the agent",
  steps: STEPS,
  async decide({ own, settings, nested }, subject, context) {
    if (READ_ONLY.has(subject.envelope.kind)) return NO_INTERVENTION;
    const lines = linesOf(subject);
    if (!Array.isArray(lines)) return lines;
    const refused = refusePersonCall(lines, subject, context);
    if (refused !== null) return refused;
    const entries = settings.filter(holdsEntry);
    const others = settings.filter((file) => !entries.includes(file));
    const look = { lines, subject, context };
    const denied = await protect({ paths: [...own, ...entries], anywhere: [] }, "deny", look);
    if (Object.keys(denied).length > 0) return denied;
    return (await askAboutTree(entries, look)) ?? askFirst({ others, nested }, look);
  },
};

interface Look {
  readonly lines: readonly LineAnalysis[];
  readonly subject: StepSubject;
  readonly context: BuiltinContext;
}

/** The line of a shell, or what looks like one in the call of a tool that nobody knows. */
function linesOf(subject: StepSubject): LineAnalysis[] | Verdict {
  const line = analyzeStepLine(subject);
  if (line !== null) return [line];
  const { kind = "other", tool, args = {} } = subject.envelope;
  if (kind === "write" || kind === "edit")
    return laterLines(subject.paths, textsIn(args)).map((text) => analyzeLine(text));
  if (kind !== "mcp" && kind !== "other") return [];
  try {
    return [...linesIn(args, tool), ...codeLinesIn(args)].map((text) => analyzeLine(text));
  } catch (error) {
    if (!(error instanceof TooMuchToLookAt)) throw error;
    return vetoBecause(`it cannot be said what it runs: ${error.message}`);
  }
}

function refusePersonCall(
  lines: readonly LineAnalysis[],
  { envelope, home }: StepSubject,
  { env }: BuiltinContext,
): Verdict | null {
  const context = { folder: envelope.cwd, home, searchPath: env.PATH };
  for (const line of lines) {
    const call = findPersonCall(line, context);
    if (call !== null)
      return vetoBecause(
        `\`${call}\` is for a person to run, outside the agent; ask for it in words`,
      );
  }
  return null;
}

/** A commit in whose tree an agent's settings have no entry of ours. */
async function askAboutTree(
  entries: readonly string[],
  { lines, subject, context: { env, signal } }: Look,
): Promise<Verdict | null> {
  const { envelope, home, root } = subject;
  const place = { folder: envelope.cwd, home, root, git: { env, signal } };
  for (const line of lines) {
    const lost = await findLostEntry(line, entries, place);
    if (lost !== null)
      return askBecause(
        `\`${lost.call}\` takes the entry that calls the guards out of \`${lost.file}\``,
      );
  }
  return null;
}

/** What sends hooks elsewhere, or stops them, without a touch of our files. */
async function askFirst(
  { others, nested }: { readonly others: readonly string[]; readonly nested: readonly string[] },
  look: Look,
): Promise<Verdict> {
  for (const line of look.lines) {
    const diverted = findDiversion(line);
    if (diverted !== null) return askBecause(`${diverted}, and with them its guards`);
  }
  const { envelope, line, home, root } = look.subject;
  // A name may be put together by the shell: `v=ADJ_CONFIG; echo ${v}_DIR=x`.
  const texts =
    line === null
      ? payloadTexts(envelope.args ?? {}).map(({ text }) => text)
      : [line, ...look.lines.map(commandsText)];
  const started = texts.some(sendsElsewhere) ? startUpFiles(home, root) : [];
  const variables = texts.some(setsForAgents) ? VARIABLE_FILES : [];
  return protect(
    { paths: [...others, ...started], anywhere: [...nested, ...variables], brought: nested },
    "ask",
    look,
  );
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

interface Protected {
  readonly paths: readonly string[];
  /** Names below any folder, where they are written themselves: what else becomes of their folder is no matter. */
  readonly anywhere: readonly string[];
  /** Those of them that may come inside of a folder. */
  readonly brought?: readonly string[];
}

const escapeGlob = (path: string): string => path.replace(/[*?[{\\]/g, "\\$&");

function protect(
  { paths, anywhere, brought = [] }: Protected,
  action: "deny" | "ask",
  { lines, subject, context }: Look,
): Promise<Verdict> {
  const isLinking = makesLink(subject.line ?? "");
  const options = {
    paths: paths.map(escapeGlob),
    access: isLinking ? (["read", "write"] as const).slice() : (["write"] as const).slice(),
    except: [],
    action,
    reason: REASON[action],
    unsure: "ask" as const,
    interpreters: "pass" as const,
  };
  return decideOnFiles(options, subject, {
    ...context,
    anywhere: anywhere.map((name) => `**/${escapeGlob(name)}`),
    named: () => namedIn(lines, { paths, brought }, subject),
  });
}

function namedIn(
  lines: readonly LineAnalysis[],
  { paths, brought }: { readonly paths: readonly string[]; readonly brought: readonly string[] },
  { envelope, home, root }: StepSubject,
): FileTouch[] {
  const context = { folder: envelope.cwd, home, root };
  const own = lines.length === 0 ? [] : resolveOwn(paths, context);
  return lines.flatMap((line) => [
    ...namedTouches(line, own, context),
    ...(brought.length === 0 ? [] : broughtTouches(line, brought, context)),
  ]);
}
