import { join } from "node:path";
import { isatty } from "node:tty";
import type { CommandContext } from "../command/context.ts";
import type { Command, CommandSummary } from "../command/definition.ts";
import { fault } from "../command/fault.ts";
import type { CommandResult } from "../command/result.ts";
import { splitWords } from "../command/words.ts";
import {
  type CommandSpec,
  describeRemains,
  type ProcessEnding,
  shellExitCode,
} from "../process/command-spec.ts";
import { lendTerminal } from "../process/lent-terminal.ts";
import { runInteractive, runProcess } from "../process/run.ts";
import { isTextList } from "../project/json-value.ts";
import { type ProgramDefinition, programSpec } from "./program-definition.ts";

/** A program has 5 s between SIGTERM and SIGKILL; what it printed until then is still wanted. */
const PROGRAM_STOP_MS = 6_500;

/** A command of `commands.yaml`. It has no grammar of its own: the program gets the words as they are. */
export function programCommand(definition: ProgramDefinition, summary: CommandSummary): Command {
  return {
    summary,
    args: null,
    graceMs: PROGRAM_STOP_MS,
    parseArgs: (line) => splitWords(line).slice(1),
    run: async (args, context) => {
      const spec = programSpec(definition, {
        name: summary.name,
        words: checkWords(summary.name, args),
        env: context.env.forChild(),
        workingDirectory: context.workingDirectory,
        platform: process.platform,
      });
      const ending = await runSpec(spec, context);
      for (const line of describeRemains(ending)) context.log(line);
      if (ending.kind === "not_started") throw spawnFault(definition, spec, ending);
      return toResult(ending, spec);
    },
  };
}

function checkWords(command: string, args: unknown): readonly string[] {
  if (isTextList(args)) return args;
  throw fault("ArgumentsInvalid", { command, problem: "expected a list of words" });
}

function runSpec(spec: CommandSpec, context: CommandContext): Promise<ProcessEnding> {
  const { signal } = context;
  if (ownsTerminal(context)) return lendTerminal(() => runInteractive(spec, signal));
  return runProcess(spec, {
    signal,
    inheritsStdin: context.hasPipedInput,
    onChunk: (channel, bytes) => context.write(bytes, channel),
  });
}

/** A person at a terminal gets the program itself: password prompts, editors, pagers. */
function ownsTerminal({ mode, isInteractive }: CommandContext): boolean {
  return mode === "cli" && isInteractive && isatty(0) && isatty(1);
}

function spawnFault(
  { folder }: ProgramDefinition,
  { executable }: CommandSpec,
  ending: Extract<ProcessEnding, { kind: "not_started" }>,
) {
  return fault(
    "SpawnFailed",
    { program: executable, problem: ending.problem },
    {
      hint: `it is named in \`${join(folder, "commands.yaml")}\``,
      exitCode: shellExitCode(ending),
    },
  );
}

function toResult(ending: ProcessEnding, { executable }: CommandSpec): CommandResult {
  const { stdout, stderr, truncated, signal } = ending;
  const exitCode = shellExitCode(ending);
  const reason = signal === null ? null : `\`${executable}\` was ended by ${signal}\n`;
  const metadata = { ...(truncated && { truncated }), ...(signal !== null && { signal }) };
  return {
    success: exitCode === 0,
    output: stdout,
    errorOutput: stderr.length > 0 ? stderr : reason,
    exitCode,
    metadata: Object.keys(metadata).length > 0 ? metadata : null,
  };
}
