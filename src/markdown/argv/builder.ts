// The public entry `adjutant/markdown`: front matter → command line, for whoever knows no agent and has
// no layers. It starts nothing and changes nothing it is given.
import type { FrontMatter } from "../../core/project/front-matter.ts";
import { flagOfKey, flagWords, isPlainObject, positionalWords, wordOf } from "./flag-words.ts";

interface BuiltCommand {
  executable: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** Its public name; inside, a `CommandSpec` is what a process is started from. */
export type { BuiltCommand as CommandSpec };

/** What the builder takes of the settings. */
interface BuilderConfig {
  /** Defaults by the executable's name: `claude`, not `claude-code`. */
  readonly commands?: Readonly<Record<string, FrontMatter>> | null | undefined;
}

const NEVER_FLAGS: ReadonlySet<string> = new Set([
  "args",
  "pre",
  "before",
  "post",
  "after",
  "context_window",
]);

function isFlag(key: string, value: unknown, templateVars: ReadonlySet<string>): boolean {
  if (NEVER_FLAGS.has(key) || key.startsWith("$") || templateVars.has(key)) return false;
  return !(key === "env" && isPlainObject(value));
}

/**
 * Every key that is a flag, in the order of the keys.
 *
 * @example
 * buildArgsFromFrontmatter({ model: "opus", p: true, tool: ["a", "b"] }, new Set());
 * // ["--model", "opus", "-p", "--tool", "a", "--tool", "b"]
 */
export function buildArgsFromFrontmatter(
  frontmatter: FrontMatter,
  templateVars: ReadonlySet<string>,
): string[] {
  return Object.entries(frontmatter)
    .filter(([key, value]) => isFlag(key, value, templateVars))
    .flatMap(([key, value]) => flagWords(flagOfKey(key), value));
}

/**
 * `$1: prompt` maps position 1, the body, to `--prompt`; `$2` is the first argument after it.
 *
 * @example
 * extractPositionalMappings({ $1: "prompt", $2: "m" }); // Map { 1 → "prompt", 2 → "m" }
 */
export function extractPositionalMappings(frontmatter: FrontMatter): Map<number, string> {
  const mappings = new Map<number, string>();
  for (const [key, name] of Object.entries(frontmatter)) {
    const position = Number(/^\$(\d+)$/.exec(key)?.[1] ?? 0);
    if (position > 0 && typeof name === "string") mappings.set(position, name);
  }
  return mappings;
}

/**
 * What `env` sets, where it is a map; as a list or text it is a flag instead.
 *
 * @example
 * extractEnvVars({ env: { CI: true, PORT: 80, GONE: null } }); // { CI: "true", PORT: "80" }
 */
export function extractEnvVars(frontmatter: FrontMatter): Record<string, string> {
  const { env } = frontmatter;
  if (!isPlainObject(env)) return {};
  const set = Object.entries(env).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, wordOf(value)]));
}

/**
 * A mapped position as its flag and value, any other as it is, behind the other arguments.
 *
 * @example
 * applyPositionalArgs(["-p"], ["hello", "x"], new Map([[2, "model"]])); // ["-p", "hello", "--model", "x"]
 */
export function applyPositionalArgs(
  baseArgs: readonly string[],
  positionals: readonly string[],
  mappings: ReadonlyMap<number, string>,
): string[] {
  const words = positionals.flatMap((word, at) => positionalWords(mappings.get(at + 1), word));
  return [...baseArgs, ...words];
}

/** The defaults of this executable under the front matter: a key of both keeps its first place. */
function mergeDefaults(command: string, frontmatter: FrontMatter, config: BuilderConfig) {
  // `commands:` with nothing below it is null in YAML.
  const commands = config.commands ?? {};
  return { ...(Object.hasOwn(commands, command) ? commands[command] : {}), ...frontmatter };
}

/**
 * The whole command line, the body at position 1 and further arguments behind it.
 *
 * @example
 * buildCommand("claude", { p: true }, "hello", [], new Set(), {}, "/project").args; // ["-p", "hello"]
 */
export function buildCommand(
  command: string,
  frontmatter: FrontMatter,
  body: string,
  positionalArgs: readonly string[],
  templateVars: ReadonlySet<string>,
  config: BuilderConfig,
  cwd: string = process.cwd(),
): BuiltCommand {
  const base = buildCommandBase(command, frontmatter, templateVars, config, cwd);
  const mappings = extractPositionalMappings(mergeDefaults(command, frontmatter, config));
  return { ...base, args: applyPositionalArgs(base.args, [body, ...positionalArgs], mappings) };
}

/** The same without any positional. */
export function buildCommandBase(
  command: string,
  frontmatter: FrontMatter,
  templateVars: ReadonlySet<string>,
  config: BuilderConfig,
  cwd: string = process.cwd(),
): BuiltCommand {
  const merged = mergeDefaults(command, frontmatter, config);
  return {
    executable: command,
    args: buildArgsFromFrontmatter(merged, templateVars),
    env: extractEnvVars(merged),
    cwd,
  };
}
