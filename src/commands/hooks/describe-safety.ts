// Why a tool call counts as dangerous as it does: every simple command of a line with what decides about it.
import { formatTable } from "../../command/text-columns.ts";
import type { StepSafety } from "../../hooks/envelope.ts";
import { classifyCommand } from "../../hooks/shell/classify-command.ts";
import { COMMAND_JUDGES } from "../../hooks/shell/command-judges.ts";
import { DESTRUCTIVE, NETWORK, READ_ONLY } from "../../hooks/shell/command-table.ts";
import { readGitCall } from "../../hooks/shell/git-call.ts";
import type { LineAnalysis, SimpleCommand } from "../../hooks/shell/line-analysis.ts";
import { lineOf } from "../../hooks/shell/subject-line.ts";
import type { StepSubject } from "../../hooks/subject.ts";

export interface CommandSafety {
  readonly command: string;
  readonly form: SimpleCommand["form"];
  readonly safety: StepSafety;
  readonly because: string;
}

export interface SafetyReport {
  readonly lines: readonly string[];
  readonly commands: readonly CommandSafety[];
  /** Why the line is destructive whatever its commands are. */
  readonly problem: string | null;
}

const COLUMNS = [{ title: "COMMAND" }, { title: "SAFETY" }, { title: "BECAUSE" }] as const;

export function describeSafety(subject: StepSubject): SafetyReport {
  const { kind, safety } = subject.envelope;
  const line = lineOf(subject);
  if (line === null || safety === undefined) {
    const because = `\`${kind ?? "other"}\` always counts as this`;
    const lines = safety === undefined ? [] : [`safety: ${safety}; ${because}`];
    return { lines, commands: [], problem: null };
  }
  const commands = line.commands.map(describeCommand);
  const problem = problemOf(line);
  const why = problem ?? "as its most dangerous command";
  const rows = commands.map(({ command, safety: one, because }) => [command, one, because]);
  const table = rows.length === 0 ? [] : formatTable(COLUMNS, rows, null);
  return {
    lines: [`safety: ${safety}; ${why}`, ...table.map((row) => `  ${row}`)],
    commands,
    problem,
  };
}

function problemOf({ problem, unresolved }: LineAnalysis): string | null {
  if (problem !== null) return `the line cannot be read whole: ${problem}`;
  const [first] = unresolved;
  return first === undefined ? null : `only the shell knows what \`${first}\` runs`;
}

function describeCommand(command: SimpleCommand): CommandSafety {
  const safety = classifyCommand(command);
  const { form } = command;
  return { command: command.text, form, safety, because: becauseOf(command, safety) };
}

/** What alone would already make it so: a file it writes, a variable it sets, else its program. */
function becauseOf(command: SimpleCommand, safety: StepSafety): string {
  const bare = { ...command, redirections: [], assignments: [] };
  if (classifyCommand(bare) === safety) return becauseOfProgram(command);
  const redirection = command.redirections.find(
    (one) => classifyCommand({ ...bare, words: [], redirections: [one] }) === safety,
  );
  if (redirection?.kind === "file") return `it writes \`${redirection.target.text}\``;
  return `it sets \`${command.assignments.map(({ name }) => name).join("`, `")}\``;
}

const KNOWN = [READ_ONLY, NETWORK, DESTRUCTIVE];

function becauseOfProgram(command: SimpleCommand): string {
  const [first] = command.words;
  if (first === undefined) return "no program runs";
  if (first.kind !== "literal") return "its program is known only when it runs";
  const { text } = first;
  if (text.includes("/")) return `\`${text}\` is named by its path`;
  if (readGitCall(command) !== null) return "by git's own words";
  const name = text.toLowerCase();
  if (COMMAND_JUDGES.has(name)) return `\`${text}\` with these words`;
  return KNOWN.some((table) => table.has(name)) ? `\`${text}\` is known` : `\`${text}\` is unknown`;
}
