// Commands that start a program: what `commands.yaml` says of one, and the command line made of it.
import { basename, resolve } from "node:path";
import { fault } from "../command/fault.ts";
import type { CommandSpec } from "../process/command-spec.ts";
import { type TrustedProject, trustArgv, trustLine } from "../project/trust/use-copy.ts";

/** A shell by its known name, or a program that is given its own words and then the command. */
export type Shell =
  | "sh"
  | "bash"
  | "pwsh"
  | "cmd"
  | { readonly program: string; readonly args: readonly string[] };

interface ProgramFolders {
  /**
   * Absolute, null for the working directory of the invocation. A relative `cwd` of the file is
   * taken from the folder the file lies in, in the working tree even where a trusted copy runs.
   */
  readonly cwd: string | null;
  /**
   * Absolute: where a relative program path with a slash is looked for. It is the folder of the
   * YAML file, and for a project the same folder in the trusted copy.
   */
  readonly folder: string;
}

/** A checked `argv` or `shell` entry of `commands.yaml`; plain data, kept in the index. */
export type ProgramDefinition = ProgramFolders &
  (
    | {
        readonly kind: "argv";
        readonly argv: readonly string[];
        readonly argvWindows: readonly string[] | null;
      }
    | { readonly kind: "shell"; readonly shell: Shell; readonly command: string }
  );

export interface ProgramCall {
  /** The command's name, for what is said about it. */
  readonly name: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  readonly platform: NodeJS.Platform;
}

// Told not to, bash reads no start-up file. With a socket for stdin it takes itself for one that `rshd` started and
// reads `~/.bashrc` even for `-c` (5.2), and what an `echo` there prints stands before a verdict.
const SHELL_ARGUMENTS = {
  sh: ["-c"],
  bash: ["--noprofile", "--norc", "-c"],
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

/** Whether words can become options of the program: none can behind a `--` of the definition. */
export function takesAnyWords(definition: ProgramDefinition): boolean {
  if (definition.kind === "argv")
    return [definition.argv, definition.argvWindows ?? ["--"]].some((argv) => argv.at(-1) !== "--");
  const rest = definition.command.replaceAll(/(?<=\s)--\s+"\$@"(?=[\s;&|)]|$)/g, "");
  return /\$\{?[@*#1-9]|\bshift\b|\bargs\b/i.test(rest);
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
  const bare = typeof shell === "string" ? [] : (BARE_START[basename(program)] ?? []);
  return [program, ...bare, ...args, command];
}

/** What keeps a shell that somebody names by its path from reading start-up files. */
const BARE_START: Readonly<Record<string, readonly string[]>> = {
  bash: ["--noprofile", "--norc"],
  zsh: ["-f"],
};

/** PowerShell, `cmd` and `ssh` join what follows the command to it and interpret the whole. */
const refuseWords = (command: string, program: string) =>
  fault(
    "ArgumentsInvalid",
    { command, problem: `\`${program}\` cannot be given words without interpreting them` },
    { hint: "define the command with `argv`, which gets its words as they are" },
  );

/** The same definition with the project's own files as they were approved; throws `ProgramChanged`. */
export function useTrustedCopy(
  definition: ProgramDefinition,
  context: TrustedProject,
): ProgramDefinition {
  const project = { ...context, workingDirectory: definition.cwd ?? context.workingDirectory };
  if (definition.kind === "argv") {
    const { argv, argvWindows } = definition;
    return {
      ...definition,
      argv: trustArgv(argv, project),
      argvWindows: argvWindows && trustArgv(argvWindows, project),
    };
  }
  const { shell, command } = definition;
  if (shell === "pwsh" || shell === "cmd") return definition;
  if (typeof shell === "string") return { ...definition, command: trustLine(command, project) };
  const [program = "", ...args] = trustArgv([shell.program, ...shell.args], project);
  return { ...definition, shell: { program, args }, command: trustLine(command, project) };
}
