/** A shell by its known name, or a program that is given its own words and then the command. */
export type Shell =
  | "sh"
  | "bash"
  | "pwsh"
  | "cmd"
  | { readonly program: string; readonly args: readonly string[] };

interface ProgramPlace {
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
export type ProgramDefinition = ProgramPlace &
  (
    | {
        readonly kind: "argv";
        readonly argv: readonly string[];
        readonly argvWindows: readonly string[] | null;
      }
    | { readonly kind: "shell"; readonly shell: Shell; readonly command: string }
  );
