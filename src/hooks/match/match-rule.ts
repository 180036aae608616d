// Whether a rule is meant for a step, and why or why not.

import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import { matchGlob } from "../../core/project/glob.ts";
import { analyzeStepLine } from "../../core/shell/analyze-line.ts";
import { classifyCommand, classifyStep } from "../../core/shell/safety.ts";
import type { LineAnalysis, ShellWord, SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import { readGitAliases } from "./git-alias.ts";
import { findNamedCommands } from "./mentioned.ts";
import { normalForms } from "./normal-form.ts";
import { matchPathGlob, placesOfPath, resolveBoth } from "./paths.ts";
import { type HookRule, type RuleManner, type RuleMatch, ruleManner } from "./rule.ts";

interface RuleMatching {
  readonly matches: boolean;
  /** One sentence for each field that matched; where one did not, that one alone. */
  readonly because: readonly string[];
}

interface FieldMatching {
  readonly matches: boolean;
  readonly because: string;
}

type FieldMatcher<Value> = (wanted: readonly Value[], subject: StepSubject) => FieldMatching;

/** All given fields must match. The cheap ones are asked first. Without a manner the rule is one that restricts. */
export function matchRule(
  match: RuleMatch,
  subject: StepSubject,
  manner: RuleManner = "restricts",
): RuleMatching {
  const because: string[] = [];
  for (const field of fieldsOf(match, manner)) {
    const matching = field(subject);
    if (!matching.matches) return { matches: false, because: [matching.because] };
    because.push(matching.because);
  }
  return { matches: true, because: because.length === 0 ? ["it has no conditions"] : because };
}

function* fieldsOf(
  match: RuleMatch,
  manner: RuleManner,
): Generator<(subject: StepSubject) => FieldMatching> {
  const { agent, tool, tool_glob, kind, safety, command, path, cwd } = match;
  if (agent) yield (subject) => matchExact("agent", agent, subject.envelope.agent);
  if (tool) yield (subject) => matchExact("tool", tool, subject.envelope.tool);
  if (tool_glob) yield (subject) => matchToolGlob(tool_glob, subject);
  if (kind) yield (subject) => matchExact("kind", kind, subject.envelope.kind);
  if (cwd) yield (subject) => matchCwd(cwd, subject);
  if (command) yield (subject) => matchCommand(command, subject, manner);
  if (path) yield (subject) => matchPath(path, subject, manner);
  if (safety) yield (subject) => matchExact("safety", safety, safetyOf(subject));
}

/** A step without a tool has no safety. */
const safetyOf = (subject: StepSubject) =>
  subject.envelope.safety ??
  (subject.envelope.kind === undefined ? undefined : classifyStep(subject, AGENT_PROGRAMS));

function matchExact(
  field: string,
  wanted: readonly string[],
  value: string | undefined,
): FieldMatching {
  if (value === undefined) return missing(field);
  const matches = wanted.includes(value);
  return { matches, because: `${field} \`${value}\` is ${matches ? "" : "not "}${anyOf(wanted)}` };
}

const matchToolGlob: FieldMatcher<string> = (wanted, { envelope: { tool } }) => {
  if (tool === undefined) return missing("tool");
  return describe(
    `tool \`${tool}\``,
    wanted,
    wanted.find((glob) => matchGlob(glob, tool, TEXT)),
  );
};

const matchCwd: FieldMatcher<string> = (wanted, { envelope: { cwd }, root, home }) => {
  const path = resolveBoth(cwd, { folder: root, home });
  const context = { folder: root, home };
  return describe(
    `cwd \`${cwd}\``,
    wanted,
    wanted.find((glob) => matchPathGlob(glob, path, context)),
  );
};

function matchCommand(
  wanted: readonly string[],
  subject: StepSubject,
  manner: RuleManner,
): FieldMatching {
  const line = analyzeStepLine(subject);
  if (line === null) return missing("command");
  if (manner === "loosens") return matchWholeLine(wanted, line);
  const isNormal = manner === "restricts";
  const aliases = isNormal && wanted.some(mayMeanGit) ? readGitAliases(line, subject) : NO_ALIASES;
  const lines = [line, ...aliases.lines];
  const written = lines.flatMap(({ commands }) => commands);
  const named = isNormal ? findNamedCommands(written, wanted) : [];
  for (const command of [...written, ...named]) {
    const found = findText(wanted, command, isNormal);
    if (found !== null) return describe(`command \`${found.text}\``, wanted, found.glob);
  }
  const hidden = isNormal
    ? (findHiddenIn(lines, aliases.hidden) ?? findOpenWord(wanted, [...written, ...named]))
    : null;
  if (hidden !== null)
    return { matches: true, because: `${hidden}, so it counts as ${anyOf(wanted)}` };
  return { matches: false, because: notAny(wanted, line) };
}

const NO_ALIASES = { lines: [], hidden: null };

/** `git push*`, `*push*`. */
const mayMeanGit = (glob: string): boolean => /^(git\b|[*?[{\\])/.test(glob);

function findHiddenIn(lines: readonly LineAnalysis[], alias: string | null): string | null {
  for (const line of lines) {
    const hidden = findHidden(line);
    if (hidden !== null) return hidden;
  }
  return alias === null ? null : `nobody knows here what \`git ${alias}\` stands for`;
}

/** `npm $x` may be `npm publish`: a word that the glob names is known only when the line runs. */
function findOpenWord(
  wanted: readonly string[],
  commands: readonly SimpleCommand[],
): string | null {
  for (const glob of wanted) {
    const [program, ...verbs] = /^[\w.-]+(?: [\w.-]+)*/.exec(glob)?.[0].split(" ") ?? [];
    const open = commands.find(({ words: [first, ...rest], takesMoreWords }) => {
      if (first?.text !== program || verbs.length === 0) return false;
      const isSaid = ({ text, kind }: ShellWord) =>
        !text.startsWith("-") || (kind === "open" && / -/.test(glob));
      const said = rest.filter(isSaid).slice(0, verbs.length);
      const isOpen = said.some(({ kind }, at) => kind === "open" && isAfter(said, verbs, at));
      return (
        isOpen ||
        (takesMoreWords && said.length < verbs.length && isAfter(said, verbs, said.length))
      );
    });
    if (open !== undefined) return `only the shell knows what \`${open.text}\` runs`;
  }
  return null;
}

/** Whether all words before that one are those of the glob. */
const isAfter = (said: readonly ShellWord[], verbs: readonly string[], at: number): boolean =>
  said.slice(0, at).every(({ text }, index) => text === verbs[index]);

/** A rule that restricts means a command however it is written: `git -C x push` is `git push`. */
function findText(
  wanted: readonly string[],
  command: SimpleCommand,
  isNormal: boolean,
): { readonly text: string; readonly glob: string } | null {
  const forms = isNormal ? normalForms(command, wanted) : [];
  const texts = [command.text, command.typed, ...forms];
  for (const text of new Set(texts)) {
    const glob = wanted.find((each) => matchGlob(each, text, TEXT));
    if (glob !== undefined) return { text, glob };
  }
  return null;
}

const HIDING: ReadonlySet<string> = new Set(["program", "shell-input", "written-script"]);

/** Why nobody can say which commands run; null where all can be read. */
function findHidden({ problem, unsure }: LineAnalysis): string | null {
  if (problem !== null) return `the line was not read whole: ${problem}`;
  const hidden = unsure.find(({ kind }) => HIDING.has(kind));
  return hidden === undefined ? null : `only the shell knows what \`${hidden.text}\` runs`;
}

/** A rule that loosens means the whole line: what it does not name may only read. */
function matchWholeLine(wanted: readonly string[], line: LineAnalysis): FieldMatching {
  const hidden = findHidden(line);
  if (hidden !== null)
    return { matches: false, because: `${hidden}, and a rule that allows is for what can be read` };
  const isNamed = (command: SimpleCommand): boolean => findText(wanted, command, false) !== null;
  const named = line.commands.find(isNamed);
  if (named === undefined) return { matches: false, because: notAny(wanted, line) };
  const other = line.commands.find((command) => {
    // Files it writes and variables it sets are not in the text that a glob is tried on.
    const around = classifyCommand({ ...command, words: [] }, AGENT_PROGRAMS);
    const isReading = classifyCommand(command, AGENT_PROGRAMS) === "read_only";
    return around !== "read_only" || (!isReading && !isNamed(command));
  });
  if (other === undefined) {
    const found = findText(wanted, named, false);
    return describe(`command \`${named.text}\``, wanted, found?.glob);
  }
  const what = other.text === "" ? "the line" : `\`${other.text}\``;
  return { matches: false, because: `${what} does more than ${anyOf(wanted)}` };
}

function notAny(wanted: readonly string[], line: LineAnalysis): string {
  const seen = line.commands.map(({ text }) => `\`${text}\``).join(", ");
  const why = line.problem === null ? "" : `; the line was not read whole: ${line.problem}`;
  return `no command of ${seen || "the line"} is ${anyOf(wanted)}${why}`;
}

function matchPath(
  wanted: readonly string[],
  subject: StepSubject,
  manner: RuleManner,
): FieldMatching {
  const { paths, root, home, envelope } = subject;
  if (paths.length === 0) return missing("path");
  if (manner === "loosens") return matchEveryPath(wanted, subject);
  for (const written of paths) {
    const path = resolveBoth(written, { folder: envelope.cwd, home });
    const glob = wanted.find((each) => matchPathGlob(each, path, { folder: root, home }));
    if (glob !== undefined) return describe(`path \`${path.real}\``, wanted, glob);
  }
  const seen = paths.map((path) => `\`${path}\``).join(", ");
  return { matches: false, because: `no path of ${seen} is ${anyOf(wanted)}` };
}

/** A rule that loosens is for calls that touch nothing else, by where their paths lead. */
function matchEveryPath(
  wanted: readonly string[],
  { paths, root, home, envelope }: StepSubject,
): FieldMatching {
  const real = paths.flatMap((path) =>
    placesOfPath(resolveBoth(path, { folder: envelope.cwd, home })),
  );
  const isMeant = (path: string): boolean =>
    wanted.some((glob) =>
      matchPathGlob(glob, { real: path, written: path }, { folder: root, home }),
    );
  const other = real.find((path) => !isMeant(path));
  if (other !== undefined) return describe(`path \`${other}\``, wanted, undefined);
  return { matches: true, because: `every path is ${anyOf(wanted)}` };
}

const TEXT = { style: "text" } as const;

const missing = (field: string): FieldMatching => ({
  matches: false,
  because: `the step has no ${field}`,
});

function describe(
  what: string,
  wanted: readonly string[],
  found: string | undefined,
): FieldMatching {
  if (found === undefined) return { matches: false, because: `${what} is not ${anyOf(wanted)}` };
  return { matches: true, because: `${what} matches \`${found}\`` };
}

const anyOf = (wanted: readonly string[]): string =>
  wanted.map((each) => `\`${each}\``).join(" or ");

export const matchesStep = (rule: HookRule, subject: StepSubject): boolean =>
  matchRule(rule.match, subject, ruleManner(rule)).matches;
