// The rule that "yes, and the like of it in this session" would remember: no wider than a person can see at a glance.
import { dirname, relative } from "node:path";
import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import type { JsonValue } from "../../core/command/context.ts";
import { isInside } from "../../core/project/paths.ts";
import { type ExactValues, maskSecrets } from "../../core/secrets/mask.ts";
import { analyzeStepLine } from "../../core/shell/analyze-line.ts";
import { classifyCommand } from "../../core/shell/safety.ts";
import type { LineAnalysis, SimpleCommand } from "../../core/shell/simple-command.ts";
import { SAFETIES, type StepSafety, type StepSubject } from "../../core/step/envelope.ts";
import { resolvePath } from "../../hooks/match/paths.ts";

/** Null where nothing can be remembered: a line that cannot be read or holds a secret, files that are not named. */
export function suggestRule(subject: StepSubject, secrets: ExactValues = []): JsonValue | null {
  const rule = ruleFor(subject);
  const text = JSON.stringify(rule);
  return maskSecrets(text, secrets) === text ? rule : null;
}

function ruleFor(subject: StepSubject): JsonValue | null {
  const { kind = "other", tool = "", agent } = subject.envelope;
  if (kind === "shell") return ruleOfLine(subject);
  if (kind === "write" || kind === "edit") return ruleOfFiles(subject, ["edit", "write"]);
  if (kind === "read" || kind === "search") return ruleOfFiles(subject, ["read", "search"]);
  return tool === "" ? null : { agent, tool };
}

// A shell line: each command of it that does more than read, and nothing more dangerous than it was.

const MAX_COMMANDS = 5;

function ruleOfLine(subject: StepSubject): JsonValue | null {
  const line = analyzeStepLine(subject);
  const { safety = "destructive" } = subject.envelope;
  if (line === null || !isReadable(line) || line.commands.some(doesMore)) return null;
  const doing = line.commands.filter(
    (command) => classifyCommand(command, AGENT_PROGRAMS) !== "read_only",
  );
  const meant = doing.length === 0 ? line.commands : doing;
  if (meant.length === 0 || meant.length > MAX_COMMANDS) return null;
  const command = [...new Set(meant.map((one) => globOf(one, safety)))];
  return { kind: "shell", command, safety: SAFETIES.slice(0, SAFETIES.indexOf(safety) + 1) };
}

/** It writes files or sets variables around its words, which no rule that allows has words for: it would be asked again. */
const doesMore = (command: SimpleCommand): boolean =>
  classifyCommand({ ...command, words: [] }, AGENT_PROGRAMS) !== "read_only";

const isReadable = ({ problem, unsure }: LineAnalysis): boolean =>
  problem === null && unsure.length === 0;

/** `npm test -- x` stands for every `npm test`; what may destroy something stands for itself. */
function globOf({ words, text }: SimpleCommand, safety: StepSafety): string {
  const [program, word] = words;
  const isWord = word !== undefined && /^[a-z][a-z0-9:_-]*$/.test(word.text);
  if (safety !== "mutating" || program === undefined || !isWord) return escapeGlob(text);
  return `${escapeGlob(`${program.text} ${word.text}`)}*`;
}

export const escapeGlob = (text: string): string => text.replace(/[*?[{\\]/g, "\\$&");

// Files: those of the same folder inside the project, elsewhere only the very ones.

function ruleOfFiles(subject: StepSubject, kinds: readonly string[]): JsonValue | null {
  const { paths, root, home, envelope } = subject;
  if (paths.length === 0) return null;
  const realRoot = resolvePath(root, { folder: "/", home });
  const globs = paths.flatMap((path) => {
    const real = resolvePath(path, { folder: envelope.cwd, home });
    const folder = dirname(real);
    if (!isInside(real, realRoot)) return [escapeGlob(real)];
    const below = relative(realRoot, folder);
    return below === "" ? [escapeGlob(relative(realRoot, real))] : [`${escapeGlob(below)}/**`];
  });
  return { kind: kinds, path: [...new Set(globs)] };
}
