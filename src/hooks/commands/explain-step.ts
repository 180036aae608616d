// `adj hooks explain`: how a tool call is seen, and for each rule whether it is meant for it. Nothing is run.

import { installContextOf } from "../../agents/commands/install-target.ts";
import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { misuse } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { escapeControls } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { analyzeStepLine } from "../../core/shell/analyze-line.ts";
import { readGitCall } from "../../core/shell/git-call.ts";
import { PROGRAM_SAFETY } from "../../core/shell/program-safety.ts";
import { isReadingProgram } from "../../core/shell/reading/reading-programs.ts";
import { classifyCommand, DESTRUCTIVE, NETWORK } from "../../core/shell/safety.ts";
import type { LineAnalysis, SimpleCommand, UnsureKind } from "../../core/shell/simple-command.ts";
import type { Envelope, StepSafety, StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { matchRule } from "../match/match-rule.ts";
import { type HookRule, ruleManner } from "../match/rule.ts";
import { makeSubject } from "../match/step-subject.ts";
import { OWN_AGENT } from "../pipeline/command-envelope.ts";
import { loadHookSet } from "../pipeline/set.ts";
import type { HooksArguments } from "./hooks-arguments.ts";
import { describeRun, whereOf } from "./list-hooks.ts";
import { buildStepPayload, pickHookAgent } from "./step-request.ts";

export async function explainStep(
  args: HooksArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { home } = installContextOf(context, program);
  const subject = await makeToolSubject(args, context, { root: program.root, home });
  const { step } = subject.envelope;
  const set = await loadHookSet({ paths: program, root: program.root });
  const rules = set.rules
    .filter(({ on }) => on.includes(step))
    .map((rule) => explainRule(rule, subject, program.root));
  const safety = describeSafety(subject);
  const { tool, kind, agent } = subject.envelope;
  const text = [
    `${step} of ${agent}${tool === undefined ? "" : `: ${tool}`}`,
    ...(kind === undefined ? [] : [`kind: ${kind}`]),
    ...safety.lines,
    ...(rules.length === 0 ? [`no hook is for \`${step}\``] : rules.map(({ line }) => line)),
    ...set.broken.map(({ where, problem }) => `broken: ${where}: ${problem}`),
  ].join("\n");
  return ok(escapeControls(text), {
    ...{ step, agent, tool, kind },
    safety: subject.envelope.safety ?? null,
    commands: safety.commands,
    problem: safety.problem,
    rules: rules.map(({ facts }) => facts),
    broken: set.broken,
    warnings: set.warnings,
  });
}

interface ExplainContext {
  readonly root: string;
  readonly home: string;
}

async function makeToolSubject(
  args: HooksArguments,
  context: CommandContext,
  explaining: ExplainContext,
): Promise<StepSubject> {
  const { workingDirectory: cwd, correlationId } = context;
  if (args.step?.endsWith("_command"))
    return commandSubject(args.step, args, { ...explaining, cwd });
  const agent = await pickHookAgent(args);
  const payload = await buildStepPayload(agent, args, context);
  const envelope = agent.readStep(payload, { env: {}, cwd, correlationId, time: "" });
  if (envelope === null) throw new TypeError(`${agent.name} does not know its own payload`);
  return makeSubject({ agent, ...explaining }, envelope);
}

/** A command of our own is matched by its line alone. */
function commandSubject(
  step: StepName,
  { command }: HooksArguments,
  { root, home, cwd }: ExplainContext & { readonly cwd: string },
): StepSubject {
  if (command === undefined)
    throw misuse("hooks", `\`${step}\` needs \`--command\`, the words after \`adj\``);
  const envelope: Envelope = {
    ...{ protocol: 1, step, agent: OWN_AGENT, session_id: "", cwd },
    ...{ correlation_id: "", time: "", native: {}, command },
  };
  const own: Pick<HookAgent, "shellLine" | "filePaths"> = {
    shellLine: () => command,
    filePaths: () => [],
  };
  return makeSubject({ agent: own, root, home }, envelope);
}

function explainRule(rule: HookRule, subject: StepSubject, root: string) {
  const { matches, because } = matchRule(rule.match, subject, ruleManner(rule));
  const { name, layer, isEnabled } = rule;
  const verdict = isEnabled ? (matches ? "yes" : "no ") : "off";
  const runs = matches && isEnabled ? `; runs ${describeRun(rule.run)}` : "";
  return {
    line: `${verdict}  ${name} (${layer}, ${whereOf(rule, root)}): ${because.join("; ")}${runs}`,
    facts: { name, layer, file: rule.file, line: rule.line, enabled: isEnabled, matches, because },
  };
}

// Why a tool call counts as dangerous as it does: every simple command of a line with what decides about it.

interface CommandSafety {
  readonly command: string;
  readonly form: SimpleCommand["form"];
  readonly safety: StepSafety;
  readonly because: string;
}

interface SafetyReport {
  readonly lines: readonly string[];
  readonly commands: readonly CommandSafety[];
  /** Why the line is destructive whatever its commands are. */
  readonly problem: string | null;
}

const SAFETY_COLUMNS = [{ title: "COMMAND" }, { title: "SAFETY" }, { title: "BECAUSE" }] as const;

function describeSafety(subject: StepSubject): SafetyReport {
  const { kind, safety } = subject.envelope;
  const line = analyzeStepLine(subject);
  if (line === null || safety === undefined) {
    const because = `\`${kind ?? "other"}\` always counts as this`;
    const lines = safety === undefined ? [] : [`safety: ${safety}; ${because}`];
    return { lines, commands: [], problem: null };
  }
  const commands = line.commands.map(describeCommand);
  const problem = problemOf(line);
  const why = problem ?? "as its most dangerous command";
  const rows = commands.map(({ command, safety: one, because }) => [command, one, because]);
  const table = rows.length === 0 ? [] : formatTable(SAFETY_COLUMNS, rows, null);
  return {
    lines: [`safety: ${safety}; ${why}`, ...table.map((row) => `  ${row}`)],
    commands,
    problem,
  };
}

function problemOf({ problem, unsure }: LineAnalysis): string | null {
  if (problem !== null) return `the line cannot be read whole: ${problem}`;
  const first = unsure.find(({ kind }) => Object.hasOwn(UNSURE, kind));
  return first === undefined ? null : (UNSURE[first.kind]?.(first.text) ?? null);
}

/** What nobody can know of a line, in the words of its reader. */
const UNSURE: Readonly<Partial<Record<UnsureKind, (text: string) => string>>> = {
  program: (text) => `only the shell knows what \`${text}\` runs`,
  "shell-input": (text) => `a shell runs lines that are not here: ${text}`,
  "written-script": (text) => `\`${text}\` runs a file that the line itself makes`,
  "sourced-file": (text) => `the lines of \`${text}\` run here`,
  interpreter: (text) => `\`${text}\` runs text of another language`,
  expression: (text) => `the shell evaluates \`${text}\`, which may run a command`,
};

function describeCommand(command: SimpleCommand): CommandSafety {
  const safety = classifyCommand(command, AGENT_PROGRAMS);
  const { form } = command;
  return { command: command.text, form, safety, because: becauseOf(command, safety) };
}

/** What alone would already make it so: a file it writes, a variable it sets, else its program. */
function becauseOf(command: SimpleCommand, safety: StepSafety): string {
  const bare = { ...command, redirections: [], assignments: [] };
  if (classifyCommand(bare, AGENT_PROGRAMS) === safety) return becauseOfProgram(command);
  const redirection = command.redirections.find(
    (one) =>
      classifyCommand({ ...bare, words: [], redirections: [one] }, AGENT_PROGRAMS) === safety,
  );
  if (redirection?.kind === "file") return `it writes \`${redirection.target.text}\``;
  return `it sets \`${command.assignments.map(({ name }) => name).join("`, `")}\``;
}

const KNOWN = [NETWORK, DESTRUCTIVE];

function becauseOfProgram(command: SimpleCommand): string {
  const [first] = command.words;
  if (first === undefined) return "no program runs";
  if (first.kind !== "literal") return "its program is known only when it runs";
  const { text } = first;
  if (text.includes("/")) return `\`${text}\` is named by its path`;
  if (readGitCall(command) !== null) return "by git's own words";
  const name = text.toLowerCase();
  if (PROGRAM_SAFETY.has(name) || isReadingProgram(name)) return `\`${text}\` with these words`;
  return KNOWN.some((table) => table.has(name)) ? `\`${text}\` is known` : `\`${text}\` is unknown`;
}
