import { resolve } from "node:path";
import { fault } from "../command/fault.ts";
import type { CommandSpec } from "../process/command-spec.ts";
import type { ProgramDefinition, Shell } from "./program-definition.ts";

export interface ProgramCall {
  /** The command's name, for what is said about it. */
  readonly name: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  readonly platform: NodeJS.Platform;
}

const SHELL_ARGUMENTS = {
  sh: ["-c"],
  bash: ["-c"],
  pwsh: ["-NoProfile", "-NonInteractive", "-Command"],
  cmd: ["/C"],
} as const;

/** Turns a definition and a person's words into what is started. Words are never written into a command. */
export function programSpec(definition: ProgramDefinition, call: ProgramCall): CommandSpec {
  const [program = "", ...args] = listWords(definition, call);
  const isPath = program.includes("/");
  return {
    executable: isPath ? resolve(definition.folder, program) : program,
    args,
    env: call.env,
    cwd: definition.cwd ?? call.workingDirectory,
  };
}

function listWords(definition: ProgramDefinition, call: ProgramCall): string[] {
  if (definition.kind === "shell")
    return listShellWords(definition.shell, definition.command, call);
  const { argv, argvWindows } = definition;
  const chosen = call.platform === "win32" && argvWindows !== null ? argvWindows : argv;
  return [...chosen, ...call.words];
}

function listShellWords(shell: Shell, command: string, call: ProgramCall): string[] {
  // `$0` is the shell's own name, as if the command stood in a script: `"$@"` is the words alone.
  if (shell === "sh" || shell === "bash")
    return [shell, ...SHELL_ARGUMENTS[shell], command, shell, ...call.words];
  const program = typeof shell === "string" ? shell : shell.program;
  if (call.words.length > 0) throw refuseWords(call.name, program);
  const args = typeof shell === "string" ? SHELL_ARGUMENTS[shell] : shell.args;
  return [program, ...args, command];
}

/** PowerShell, `cmd` and `ssh` join what follows the command to it and interpret the whole. */
const refuseWords = (command: string, program: string) =>
  fault(
    "ArgumentsInvalid",
    { command, problem: `\`${program}\` cannot be given words without interpreting them` },
    { hint: "define the command with `argv`, which gets its words as they are" },
  );
