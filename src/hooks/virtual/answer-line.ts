// A shell line of an agent that may name virtual commands: found, run or made runnable, and said in a decision.
import type { CommandSummary } from "../../command/command.ts";
import { isCommandName } from "../../command/name.ts";
import type { Decision } from "../decision.ts";
import { decideVirtual, spellOut, type VirtualPlan } from "./decide-virtual.ts";
import { cutStreams, writeReplay } from "./replay.ts";
import type { Streams } from "./replay-line.ts";
import { prefixLine } from "./shim-path.ts";
import { addShims, shimFolder } from "./shims.ts";
import type { VirtualDesk, VirtualJob } from "./virtual-desk.ts";
import type { PrefixedText, VirtualAnswer, VirtualParts, VirtualStep } from "./virtual-step.ts";

/** Null for a line that is none of ours. */
export async function answerLine(
  parts: VirtualParts,
  step: VirtualStep,
  { text: line, prefix }: PrefixedText,
): Promise<VirtualAnswer | null> {
  const { words, names } = await readLine(line, prefix);
  if (names.length === 0) return null;
  const known = await findCommands(names, await parts.openDesk(step.place));
  const [name] = known.keys();
  if (name === undefined) return null;
  const { agent, decision } = step;
  const command = known.get(name) ?? null;
  const { abilities } = agent;
  const plan = decideVirtual({ words, command, abilities, permission: decision.permission });
  const found = { prefix, line, name, words: words?.slice(1) ?? [], names: [...known.keys()] };
  return carryOut(parts, step, { plan, found });
}

interface ReadLine {
  /** Of one simple command with literal words that begins with the prefix. */
  readonly words: readonly string[] | null;
  /** What stands behind the prefix, each once. */
  readonly names: readonly string[];
}

export async function readLine(line: string, prefix: string): Promise<ReadLine> {
  const isOurs = (word: string): boolean =>
    word.startsWith(prefix) && isCommandName(word.slice(prefix.length));
  const { readLiteralCommand } = await import("../shell/read-literal-command.ts");
  const literal = readLiteralCommand(line);
  const [first] = literal.kind === "literal" ? literal.words : [];
  if (literal.kind === "literal" && first !== undefined && isOurs(first))
    return { words: literal.words, names: [first.slice(prefix.length)] };
  const { mentionedCommands } = await import("../shell/mentioned-commands.ts");
  const mentioned = mentionedCommands(line, isOurs).map((word) => word.slice(prefix.length));
  return { words: null, names: [...new Set(mentioned)] };
}

/** Those that somebody answers to; null for one that exists and is broken. */
async function findCommands(
  names: readonly string[],
  desk: VirtualDesk,
): Promise<Map<string, CommandSummary | null>> {
  const known = new Map<string, CommandSummary | null>();
  for (const name of names) {
    const found = await desk.find(name);
    if (found !== null) known.set(name, found === "broken" ? null : found);
  }
  return known;
}

export interface FoundLine {
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
    return { decision: refuseWithLine(step.decision, found), note };
  return { decision: letShellFind(parts, step, { plan, found }), note };
}

const HOOK_LIMIT_MS = 30_000;

export function jobOf(step: VirtualStep, { name, words }: FoundLine): VirtualJob {
  const { envelope, place, sessionId } = step;
  const given = [envelope.args?.timeout, envelope.args?.timeout_ms].filter(
    (limit) => typeof limit === "number" && limit > 0,
  );
  return {
    ...place,
    name,
    words,
    agent: step.agent.name,
    sessionId,
    correlationId: envelope.correlation_id,
    limitMs: Math.min(HOOK_LIMIT_MS, step.limitMs, ...given.map(Number)),
  };
}

/** The line now does what the command did, and that needs nobody's leave. */
export function showStreams(step: VirtualStep, streams: Streams): Decision {
  const line = writeReplay(streams, step.place.paths.stateDir, step.now);
  const args = step.agent.withShellLine(step.envelope, line);
  return { ...step.decision, args, result: null, permission: "allow" };
}

function refuseWithStreams(step: VirtualStep, streams: Streams, line: string): Decision {
  const { stdout, stderr, exitCode } = cutStreams(streams, step.place.paths.stateDir);
  const texts = [
    `not run by the shell: adj answered \`${line}\`; what follows is its output (exit code ${exitCode})`,
    decode(stdout),
    ...(stderr.length === 0 ? [] : [`error output:\n${decode(stderr)}`]),
  ];
  return refuse(step.decision, texts.join("\n").trimEnd());
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const refuseWithLine = (decision: Decision, { line, prefix, names }: FoundLine): Decision =>
  refuse(decision, `type this instead: ${spellOut(line, prefix, names)}`);

const refuse = (decision: Decision, reason: string): Decision => ({
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
): Decision {
  const { root, paths } = step.place;
  const { prefix, names, line } = found;
  const place = { stateDir: paths.stateDir, root, prefix, program: parts.program };
  addShims(place, names);
  if (plan.kind === "shim") return step.decision;
  const path = { folder: shimFolder(place), sessionId: step.sessionId };
  const args = step.agent.withShellLine(step.envelope, prefixLine(line, path));
  return { ...step.decision, args };
}
