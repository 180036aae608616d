// Keeps secrets out of files, commits, pushes and what a line sends.
import { analyzeLine, analyzeStepLine } from "../../core/shell/analyze-line.ts";
import type { LineAnalysis } from "../../core/shell/simple-command.ts";
import type { StepSubject, ToolKind } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { placesOfPath, resolveBoth } from "../match/paths.ts";
import { actBecause, actUnsure, type Builtin, NO_INTERVENTION } from "./builtin.ts";
import { lineFiles } from "./files/line-files.ts";
import { TooMuchToLookAt } from "./files/look-limit.ts";
import { foldersOf, linesIn } from "./files/tool-files.ts";
import { networkUse } from "./network/network-use.ts";
import type { BuiltinOptions } from "./options.ts";
import { payloadTexts } from "./payload-texts.ts";
import { type GitQueryOptions, GitUnanswered } from "./query-git.ts";
import { editMakesSecret } from "./secrets/edited-file.ts";
import { findFileWith } from "./secrets/read-file.ts";
import {
  callsByName,
  findRecorded,
  gitCalls,
  recordsCommit,
  recordsText,
} from "./secrets/recorded-files.ts";
import { argumentsHoldSecret, holdsSecret, lineHoldsSecret } from "./secrets/written-texts.ts";

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const noSecrets: Builtin<BuiltinOptions<"no-secrets">> = {
  name: "no-secrets",
  description:
    "keeps secrets out of what is written or sent and out of what git would record or push",
  steps: STEPS,
  async decide({ commits, action, unsure, reason }, subject, { env, signal }) {
    try {
      const where = await findSecret(subject, { commits, env, signal });
      if (where === null) return NO_INTERVENTION;
      const why = `there is a secret in ${where}; take it from the environment instead`;
      return actBecause(action, reason ?? why);
    } catch (error) {
      if (!(error instanceof TooMuchToLookAt || error instanceof GitUnanswered)) throw error;
      const why = `it cannot be said whether there is a secret in it: ${error.message}`;
      return actUnsure(unsure, reason ?? why, subject);
    }
  },
};

interface SecretSearch extends Omit<GitQueryOptions, "cwd"> {
  readonly commits: boolean;
}

/** They write nothing and send nothing on. */
const READING: ReadonlySet<ToolKind> = new Set(["read", "search", "agent"]);

/** Where the secret is, never the secret itself; null where there is none. */
async function findSecret(
  subject: StepSubject,
  { commits, ...git }: SecretSearch,
): Promise<string | null> {
  const { kind = "other", tool = "", args = {} } = subject.envelope;
  const line = analyzeStepLine(subject);
  if (line === null && READING.has(kind)) return null;
  if (argumentsHoldSecret(args, kind === "edit"))
    return line === null ? "what is written" : "the line";
  if (line !== null) return findInLine(line, subject, { commits, ...git });
  if (editMakesSecret(subject)) return "what the file would hold";
  if (kind !== "mcp" && kind !== "other") return null;
  for (const text of linesIn(args, tool)) {
    const found = await findInLine(analyzeLine(text), subject, { commits, ...git });
    if (found !== null) return found;
  }
  const places = foldersOf(payloadTexts(args), subject);
  return commits ? findRecorded(callsByName(tool, places), git) : null;
}

async function findInLine(
  line: LineAnalysis,
  subject: StepSubject,
  { commits, ...git }: SecretSearch,
): Promise<string | null> {
  if (lineHoldsSecret(line)) return "the line";
  if (!commits) return null;
  if (line.problem !== null && /\bgit\b/.test(line.line))
    throw new TooMuchToLookAt(`the line cannot be read: ${line.problem}`);
  const calls = gitCalls(line, subject);
  const isTaken = recordsCommit(calls) || recordsText(calls) || sendsAway(line);
  return (isTaken ? findInRead(line, subject) : null) ?? findRecorded(calls, git);
}

const OWN_HOST = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0)$/i;

/** Whether something goes to another host that is not the everyday work of a package manager. */
const sendsAway = (line: LineAnalysis): boolean =>
  // A command that stands there a thousand times is looked at once.
  [...new Map(line.commands.map((command) => [command.text, command])).values()].some((command) => {
    const use = networkUse(command, line);
    if (use === null) return false;
    const isForge = /^(?:gh|glab)$/.test(command.words[0]?.text ?? "");
    if (use.isEveryday)
      return isForge && command.words.some(({ text }) => /file|^-F|^--input/.test(text));
    return use.hosts.length === 0 || !use.hosts.every((host) => OWN_HOST.test(host));
  });

/** A file that the line reads, and then records or sends. */
function findInRead(line: LineAnalysis, subject: StepSubject): string | null {
  const context = { folder: subject.envelope.cwd, home: subject.home };
  const { touches } = lineFiles(line, context);
  const read = touches.filter(({ access }) => access === "read");
  const paths = read.flatMap((touch) => placesOfPath(resolveBoth(touch.path, touch.context)));
  const found = findFileWith([...new Set(paths)], holdsSecret);
  return found === null ? null : `\`${found}\``;
}
