// A shell line of an agent that may name virtual commands: found, run or made runnable, and said in a decision.
import { homedir } from "node:os";
import type { HookAbilities } from "../../agents/steps/hook-agent.ts";
import type { CommandSummary } from "../../core/command/definition.ts";
import { isCommandName } from "../../core/command/registry.ts";
import { joinWords } from "../../core/command/words.ts";
import { findProgram } from "../../core/process/find-program.ts";
import type { Permission, StepDecision } from "../../core/step/verdict.ts";
import { cutStreams, type Streams, writeReplay } from "./replay.ts";
import { addShims, prefixLine, shimFolder } from "./shims.ts";
import type {
  PrefixedText,
  VirtualAnswer,
  VirtualCatalog,
  VirtualJob,
  VirtualNote,
  VirtualParts,
  VirtualStep,
} from "./virtual-step.ts";

/** The answer is null where the line names no command of ours. */
export async function answerLine(
  parts: VirtualParts,
  step: VirtualStep,
  { text: line, prefix }: PrefixedText,
): Promise<VirtualAnswer | null> {
  const { words, names } = await readLine(line, prefix);
  if (names.length === 0) return null;
  const known = await findCommands(names, await parts.openCatalog(step.context));
  const [name] = known.keys();
  if (name === undefined) return null;
  const { agent, decision } = step;
  const command = known.get(name) ?? null;
  const { abilities } = agent;
  const { env, root } = step.context;
  // What the person would be asked about, or has forbidden, is for the agent to find in the line.
  const isRuled = agent.hasOwnRule?.(line, { env, home: env.HOME || homedir(), root }) === true;
  const permission = isRuled ? "ask" : decision.permission;
  const plan = decideVirtual({ words, command, abilities, permission });
  const found = { prefix, line, name, words: words?.slice(1) ?? [], names: [...known.keys()] };
  return carryOut(parts, step, { plan, found });
}

interface ReadLine {
  /** Of one simple command with literal words that begins with the prefix. */
  readonly words: readonly string[] | null;
  /** What stands behind the prefix, each once. */
  readonly names: readonly string[];
}

async function readLine(line: string, prefix: string): Promise<ReadLine> {
  const isOurs = (word: string): boolean =>
    word.startsWith(prefix) && isCommandName(word.slice(prefix.length));
  const { readLiteralCommand } = await import("../../core/shell/literal-command.ts");
  const literal = readLiteralCommand(line);
  const [first] = literal.kind === "literal" ? literal.words : [];
  if (literal.kind === "literal" && first !== undefined && isOurs(first))
    return { words: literal.words, names: [first.slice(prefix.length)] };
  const { mentionedCommands } = await import("../../core/shell/analyze-line.ts");
  const mentioned = mentionedCommands(line, isOurs).map((word) => word.slice(prefix.length));
  return { words: null, names: [...new Set(mentioned)] };
}

/** Those that somebody answers to; null for one that exists and is broken. */
async function findCommands(
  names: readonly string[],
  catalog: VirtualCatalog,
): Promise<Map<string, CommandSummary | null>> {
  const known = new Map<string, CommandSummary | null>();
  for (const name of names) {
    const found = await catalog.find(name);
    if (found !== null) known.set(name, found === "broken" ? null : found);
  }
  return known;
}

interface FoundLine {
  readonly prefix: string;
  readonly line: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly names: readonly string[];
}

async function carryOut(
  parts: VirtualParts,
  step: VirtualStep,
  { plan, found }: { plan: VirtualPlan; found: FoundLine },
): Promise<VirtualAnswer> {
  if (plan.kind === "answered" || plan.kind === "denied-with-output") {
    const streams = await parts.runVirtual(jobOf(step, found), step.signal);
    const note = { command: found.name, how: plan.kind, exitCode: streams.exitCode };
    const decide = plan.kind === "answered" ? showStreams : refuseWithStreams;
    return { decision: decide(step, streams, found.line), note };
  }
  const note = { command: found.name, how: plan.kind, exitCode: null };
  if (plan.kind === "denied-with-line")
    return { decision: await refuseWithLine(parts, step, found), note };
  return { decision: letShellFind(parts, step, { plan, found }), note };
}

const HOOK_LIMIT_MS = 30_000;

function jobOf(step: VirtualStep, { name, words }: FoundLine): VirtualJob {
  const { envelope, context, sessionId } = step;
  const given = [envelope.args?.timeout, envelope.args?.timeout_ms].filter(
    (limit) => typeof limit === "number" && limit > 0,
  );
  return {
    ...context,
    name,
    words,
    agent: step.agent.name,
    sessionId,
    correlationId: envelope.correlation_id,
    limitMs: Math.min(HOOK_LIMIT_MS, step.limitMs, ...given.map(Number)),
  };
}

/** The line now does what the command did, and that needs nobody's leave. */
export function showStreams(step: VirtualStep, streams: Streams): StepDecision {
  const line = writeReplay(streams, step.context.paths.stateDir, step.now);
  const args = step.agent.withShellLine(step.envelope, line);
  return { ...step.decision, args, result: null, permission: "allow" };
}

function refuseWithStreams(step: VirtualStep, streams: Streams, line: string): StepDecision {
  const { stdout, stderr, exitCode } = cutStreams(streams, step.context.paths.stateDir);
  const texts = [
    `not run by the shell: adj answered \`${line}\`; what follows is its output (exit code ${exitCode})`,
    decode(stdout),
    ...(stderr.length === 0 ? [] : [`error output:\n${decode(stderr)}`]),
  ];
  return refuseLine(step.decision, texts.join("\n").trimEnd());
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Where the agent's shell would not find `adj`, the line names the program by its path. */
async function refuseWithLine(
  { program }: VirtualParts,
  { decision, context }: VirtualStep,
  { line, prefix, names }: FoundLine,
): Promise<StepDecision> {
  const { env, cwd } = context;
  const isOnPath = (await findProgram("adj", { path: env.PATH, cwd })).kind === "found";
  const adj = isOnPath ? "adj" : joinWords(program);
  return refuseLine(decision, `type this instead: ${spellOut(line, { prefix, names, adj })}`);
}

const refuseLine = (decision: StepDecision, reason: string): StepDecision => ({
  ...decision,
  control: "veto",
  permission: "deny",
  args: null,
  result: null,
  reason,
});

function letShellFind(
  parts: VirtualParts,
  step: VirtualStep,
  { plan, found }: { plan: VirtualPlan; found: FoundLine },
): StepDecision {
  const { root, paths } = step.context;
  const { prefix, names, line } = found;
  const shims = { stateDir: paths.stateDir, root, prefix, program: parts.program };
  addShims(shims, names);
  if (plan.kind === "shim") return step.decision;
  const path = { folder: shimFolder(shims), sessionId: step.sessionId };
  const args = step.agent.withShellLine(step.envelope, prefixLine(line, path));
  return { ...step.decision, args };
}

// A person who types a virtual command alone as the prompt gets its answer without any model.

interface AnsweredPrompt {
  readonly output: string;
  readonly exitCode: number;
  readonly note: VirtualNote;
}

/** The answer is null where the prompt is not one virtual command and nothing else. */
export async function answerPrompt(
  parts: VirtualParts,
  step: VirtualStep,
  { text, prefix }: PrefixedText,
): Promise<AnsweredPrompt | null> {
  const { context } = step;
  const line = text.trim();
  if (!line.startsWith(prefix)) return null;
  const { words, names } = await readLine(line, prefix);
  const [name] = names;
  if (words === null || name === undefined) return null;
  const command = await (await parts.openCatalog(context)).find(name);
  if (command === null) return null;
  // Below Adjutant's own agents it is no person who types.
  const isPerson = (context.env.ADJ_DEPTH ?? "") === "";
  const isOpen = command === "broken" || (words.length > 1 && command.takesAnyWords === true);
  if (!isPerson && (isOpen || command.safety !== "read_only")) return null;
  const found: FoundLine = { prefix, line, name, words: words.slice(1), names };
  const streams = await parts.runVirtual(jobOf(step, found), step.signal);
  const { exitCode } = streams;
  const note = { command: name, how: "prompt", exitCode } as const;
  return { output: textOf(cutStreams(streams, context.paths.stateDir)), exitCode, note };
}

function textOf({ stdout, stderr }: Streams): string {
  const decoder = new TextDecoder();
  const texts = [decoder.decode(stdout), decoder.decode(stderr)].filter((text) => text !== "");
  return texts.join(texts[0]?.endsWith("\n") ? "" : "\n").trimEnd();
}

// What becomes of a line that names virtual commands. Pure.

interface VirtualFacts {
  /** The words of a line that is one simple command with literal words, null for any other. */
  readonly words: readonly string[] | null;
  /** What the first of those words names; null where it could not be loaded. */
  readonly command: CommandSummary | null;
  readonly abilities: HookAbilities;
  /** What the hooks said. */
  readonly permission: Permission | null;
}

type VirtualPlan =
  /** Run here; the line becomes one that shows what happened. */
  | { readonly kind: "answered" }
  /** Run here; what happened is the reason why the line is not run. */
  | { readonly kind: "denied-with-output" }
  /** The shell finds a real program; the line stays. */
  | { readonly kind: "shim" }
  /** The same, but PATH has to be set in the line. */
  | { readonly kind: "prefixed" }
  | { readonly kind: "denied-with-line" };

export function decideVirtual(facts: VirtualFacts): VirtualPlan {
  const { abilities } = facts;
  const canRewrite = abilities.steps.before_tool?.changes.includes("args") ?? false;
  if (isHarmless(facts)) return { kind: canRewrite ? "answered" : "denied-with-output" };
  if (abilities.shims === "env-file" || abilities.shims === "plugin") return { kind: "shim" };
  const canPrefix = abilities.shims === "line-prefix" && canRewrite && !abilities.rewriteAllows;
  return { kind: canPrefix ? "prefixed" : "denied-with-line" };
}

/** Nobody has to be asked, so it may happen before the agent asks. */
const isHarmless = ({ words, command, permission }: VirtualFacts): boolean =>
  words !== null &&
  // `read_only` is what the author says of the program as it is called, not of any option a model adds.
  (words.length === 1 || command?.takesAnyWords !== true) &&
  command?.safety === "read_only" &&
  command.effect === "read" &&
  permission !== "ask";

interface SpellingOptions {
  readonly prefix: string;
  readonly names: readonly string[];
  /** What the shell is to start. */
  readonly adj: string;
}

/** The same line without virtual commands: `adj-x y` is `adj run x y`. */
export function spellOut(line: string, { prefix, names, adj }: SpellingOptions): string {
  const word = new RegExp(`(?<![\\w./-])${prefix}([a-z][a-z0-9-]*)(?![\\w./-])`, "g");
  return line.replace(word, (whole, name: string) =>
    names.includes(name) ? `${adj} run ${name}` : whole,
  );
}
