const NAME = /^[a-z][a-z0-9-]{0,63}$/;

export const isCommandName = (text: string): boolean => NAME.test(text);

/**
 * Words of the program that no layer can define, shadow or disable.
 * The bundled commands that are not here (`model`, `help`, …) may be shadowed like any other.
 */
export const PROGRAM_WORDS: ReadonlySet<string> = new Set([
  "agent",
  "bench",
  "completion",
  "config",
  "console",
  "doctor",
  "explain",
  "hook",
  "hooks",
  "import",
  "install",
  "log",
  "mcp",
  "new",
  "prune",
  "resident",
  "run",
  "sim",
  "sync",
  "tour",
  "trust",
  "ui",
  "uninstall",
]);
