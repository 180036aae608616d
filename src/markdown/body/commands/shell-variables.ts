// Variables as a command sees them: environment, never part of its text.
import { printValue } from "../template/part-list.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
// Capitals steer shells, loaders and programs (PATH, IFS, LD_PRELOAD, GIT_*), as do the proxies.
const STEERING = /^[A-Z0-9_]+$|_proxy$/;
/** Linux takes no single string of 128 KiB or more; the name and `=` are part of it. */
const LONGEST = 128 * 1024 - 1;
/** The environment as a whole has a limit too: long values are given to those who name them. */
const LONG = 4096;

export const mentionsVariable = (command: string, name: string): boolean =>
  new RegExp(`\\$(?:${name}(?![A-Za-z0-9_])|\\{[#!]?${name}(?![A-Za-z0-9_]))`).test(command);

export interface ShellVariables {
  readonly env: Readonly<Record<string, string>>;
  /** What this command mentions and cannot be given, with the reason. */
  readonly missing: readonly { readonly name: string; readonly problem: string }[];
}

/** Text, numbers, truth values and lists are given; a list as shell words. */
export function listShellVariables(
  command: string,
  scope: Readonly<Record<string, unknown>>,
): ShellVariables {
  const env: Record<string, string> = {};
  const missing: { name: string; problem: string }[] = [];
  for (const [name, value] of Object.entries(scope)) {
    if (!NAME.test(name) || !isPlain(value)) continue;
    const text = printValue(value);
    const isMentioned = mentionsVariable(command, name);
    if (text.length > LONG && !isMentioned) continue;
    const problem = findProblem(name, text);
    if (problem === null) env[name] = text;
    else if (isMentioned) missing.push({ name, problem });
  }
  return { env, missing };
}

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isPlain));

function findProblem(name: string, text: string): string | null {
  if (STEERING.test(name)) return "a name in capitals is never given to a command";
  if (text.includes("\0")) return "it contains a NUL byte";
  if (Buffer.byteLength(text) + name.length + 1 > LONGEST) return "it is longer than 128 KB";
  return null;
}
