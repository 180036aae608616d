// A handler that is a program: the envelope on its stdin, the verdict on its stdout.
import { dirname } from "node:path";
import { Fault, formatFault } from "../../core/command/fault.ts";
import {
  type ProgramDefinition,
  programSpec,
  useTrustedCopy,
} from "../../core/load/program-definition.ts";
import type { CommandSpec, ProcessEnding } from "../../core/process/command-spec.ts";
import { runProcess } from "../../core/process/run.ts";
import { showOriginals } from "../../core/project/trust/store.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { HookRule, RuleRun } from "../match/rule.ts";
import { handlerEnvironment } from "./environment.ts";
import {
  type HandlerOutcome,
  type HandlerOutput,
  readAnswer,
  readForeignAnswer,
  readGiven,
  writeForeignPayload,
} from "./protocol.ts";
import type { HandlerContext } from "./run.ts";

type ProgramRun = Extract<RuleRun, { type: "argv" | "shell" }>;

const MEGABYTE = 1024 * 1024;
const VETO_EXIT_CODE = 2;
const MAX_REASON_LENGTH = 10_000;
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000;

export async function runCommandHandler(
  rule: HookRule & { readonly run: ProgramRun },
  subject: StepSubject,
  context: HandlerContext,
): Promise<HandlerOutcome> {
  const { envelope } = subject;
  const env = handlerEnvironment(rule, subject, context.env);
  const spec = specOf(rule, { cwd: envelope.cwd, env });
  if ("problem" in spec) return { kind: "error", problem: spec.problem };
  const isForeign = rule.protocol === "claude-code";
  const payload = isForeign ? await writeForeignPayload(envelope) : envelope;
  const ending = await runProcess(spec, {
    stdin: `${JSON.stringify(payload)}\n`,
    signal: context.signal,
    timeoutMs: Math.max(1, Math.ceil(context.timeoutMs)),
    graceMs: GRACE_MS,
    keepBytes: MEGABYTE,
    keepOver: "each",
    outputLimit: {
      stdout: { bytes: MEGABYTE, action: "kill" },
      stderr: { bytes: MEGABYTE, action: "discard" },
    },
  });
  const problem = problemOf(ending, spec, context);
  if (ending.kind === "cancelled") return { kind: "cancelled" };
  if (problem !== null) return { kind: "error", problem: showOwn(rule, problem) };
  if (isForeign) return readForeignAnswer(envelope, outputOf(rule, ending));
  return readEnding(rule, envelope.step, ending);
}

/** A person knows the project's files, not the copies of them that run. */
export const showOwn = ({ layer, file, folder }: HookRule, text: string): string =>
  layer === "project"
    ? showOriginals(text, { root: dirname(dirname(file)), copyDir: dirname(folder) })
    : text;

export interface ProgramContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Of a project the program that was approved, whatever lies in its working tree by now. */
export function specOf(
  rule: HookRule & { readonly run: ProgramRun },
  { cwd, env }: ProgramContext,
): CommandSpec | { readonly problem: string } {
  try {
    const definition = definitionOf(rule);
    const placed =
      rule.layer === "project"
        ? useTrustedCopy(definition, {
            root: dirname(dirname(rule.file)),
            copyDir: dirname(rule.folder),
            workingDirectory: cwd,
          })
        : definition;
    return programSpec(placed, {
      name: rule.name,
      words: [],
      env,
      workingDirectory: cwd,
      platform: process.platform,
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { problem: formatFault(error) };
  }
}

function definitionOf({ run, cwd, folder }: HookRule & { run: ProgramRun }): ProgramDefinition {
  const folders = { cwd, folder };
  if (run.type === "shell")
    return { kind: "shell", shell: run.shell, command: run.command, ...folders };
  return { kind: "argv", argv: run.argv, argvWindows: run.argvWindows, ...folders };
}

/** Why nothing it printed counts; null where it came to an end of its own. */
function problemOf(
  ending: ProcessEnding,
  { executable }: CommandSpec,
  { timeoutMs }: HandlerContext,
): string | null {
  switch (ending.kind) {
    case "not_started":
      return `\`${executable}\` could not be started: ${ending.problem}`;
    case "timed_out":
      return `it did not answer within ${Math.ceil(timeoutMs)} ms`;
    case "output_limit":
      return "it printed more than 1 MB";
    case "signalled":
      return `it was ended by ${ending.signal}`;
    default:
      return ending.ioProblem;
  }
}

const outputOf = (rule: HookRule, ending: ProcessEnding): HandlerOutput => ({
  stdout: decode(ending.stdout),
  stderr: showOwn(rule, decode(ending.stderr)),
  exitCode: ending.exitCode ?? 1,
});

const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

function readEnding(rule: HookRule, step: StepName, ending: ProcessEnding): HandlerOutcome {
  const { stdout, stderr, exitCode } = outputOf(rule, ending);
  const message = stderr.trim().slice(0, MAX_REASON_LENGTH).toWellFormed();
  if (exitCode === VETO_EXIT_CODE) {
    const reason = message === "" ? `vetoed by \`${rule.name}\`` : message;
    return readGiven({ step, value: { control: "veto", reason }, stderr: null });
  }
  if (exitCode !== 0) {
    const words = message === "" ? "" : `: ${message.split("\n")[0]}`;
    return { kind: "error", problem: `it ended with exit code ${exitCode}${words}` };
  }
  const kept = message === "" ? null : message;
  return readAnswer({ step, text: stdout, stderr: kept, isStrict: rule.isStrict });
}
