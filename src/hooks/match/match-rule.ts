// Whether a rule is meant for a step, and why or why not.
import type { RuleMatch } from "../rule.ts";
import { classifyStep } from "../shell/classify-step.ts";
import { lineOf } from "../shell/subject-line.ts";
import type { StepSubject } from "../subject.ts";
import { matchGlob } from "./glob.ts";
import { matchPathGlob, resolveBoth } from "./match-path.ts";

export interface RuleMatching {
  readonly matches: boolean;
  /** One sentence for each field that matched; where one did not, that one alone. */
  readonly because: readonly string[];
}

interface FieldMatching {
  readonly matches: boolean;
  readonly because: string;
}

type FieldMatcher<Value> = (wanted: readonly Value[], subject: StepSubject) => FieldMatching;

/** All given fields must match. The cheap ones are asked first. */
export function matchRule(match: RuleMatch, subject: StepSubject): RuleMatching {
  const because: string[] = [];
  for (const field of fieldsOf(match)) {
    const matching = field(subject);
    if (!matching.matches) return { matches: false, because: [matching.because] };
    because.push(matching.because);
  }
  return { matches: true, because: because.length === 0 ? ["it has no conditions"] : because };
}

function* fieldsOf(match: RuleMatch): Generator<(subject: StepSubject) => FieldMatching> {
  const { agent, tool, tool_glob, kind, safety, command, path, cwd } = match;
  if (agent) yield (subject) => matchExact("agent", agent, subject.envelope.agent);
  if (tool) yield (subject) => matchExact("tool", tool, subject.envelope.tool);
  if (tool_glob) yield (subject) => matchToolGlob(tool_glob, subject);
  if (kind) yield (subject) => matchExact("kind", kind, subject.envelope.kind);
  if (cwd) yield (subject) => matchCwd(cwd, subject);
  if (command) yield (subject) => matchCommand(command, subject);
  if (path) yield (subject) => matchPath(path, subject);
  if (safety) yield (subject) => matchExact("safety", safety, safetyOf(subject));
}

/** A step without a tool has no safety. */
const safetyOf = (subject: StepSubject) =>
  subject.envelope.safety ??
  (subject.envelope.kind === undefined ? undefined : classifyStep(subject));

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
  const place = { folder: root, home };
  return describe(
    `cwd \`${cwd}\``,
    wanted,
    wanted.find((glob) => matchPathGlob(glob, path, place)),
  );
};

const matchCommand: FieldMatcher<string> = (wanted, subject) => {
  const line = lineOf(subject);
  if (line === null) return missing("command");
  for (const { text } of line.commands) {
    const glob = wanted.find((each) => matchGlob(each, text, TEXT));
    if (glob !== undefined) return describe(`command \`${text}\``, wanted, glob);
  }
  const seen = line.commands.map(({ text }) => `\`${text}\``).join(", ");
  const why = line.problem === null ? "" : `; the line was not read whole: ${line.problem}`;
  return {
    matches: false,
    because: `no command of ${seen || "the line"} is ${anyOf(wanted)}${why}`,
  };
};

const matchPath: FieldMatcher<string> = (wanted, subject) => {
  const { paths, root, home, envelope } = subject;
  if (paths.length === 0) return missing("path");
  for (const written of paths) {
    const path = resolveBoth(written, { folder: envelope.cwd, home });
    const glob = wanted.find((each) => matchPathGlob(each, path, { folder: root, home }));
    if (glob !== undefined) return describe(`path \`${path.real}\``, wanted, glob);
  }
  const seen = paths.map((path) => `\`${path}\``).join(", ");
  return { matches: false, because: `no path of ${seen} is ${anyOf(wanted)}` };
};

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
