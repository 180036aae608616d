// Reads bodies whose placeholders begin with `$`: what Claude Code and opencode have in common.
import type { ReadBody } from "./native-format.ts";
import { couldBeCompleted, joinTexts, type NativePart, textPart } from "./part.ts";

/** What was found at one place; `problem` says what the part does not. */
export interface Found {
  readonly part: NativePart;
  readonly problem?: string;
}

/** Where the pattern matches, `read` says what stands there; all else is text. */
export function readDollars(
  body: string,
  pattern: RegExp,
  read: (groups: Readonly<Record<string, string | undefined>>, written: string) => Found,
): ReadBody {
  const parts: NativePart[] = [];
  const problems: string[] = [];
  let at = 0;
  for (const match of body.matchAll(pattern)) {
    const { part, problem } = read(match.groups ?? {}, match[0]);
    parts.push(textPart(body.slice(at, match.index)), part);
    if (problem !== undefined) problems.push(problem);
    at = match.index + match[0].length;
  }
  const joined = joinTexts([...parts, textPart(body.slice(at))]);
  if (couldBeCompleted(joined)) problems.push("what is typed could complete a directive");
  return { parts: joined, problems };
}

const PLACEHOLDER = /\$(?:\d|ARGUMENTS)/;

/** A command that typed text would be pasted into is not one that can be carried over. */
export function readCommand(written: string, command: string): Found {
  const mark = PLACEHOLDER.exec(command)?.[0];
  if (mark !== undefined)
    return { part: textPart(written), problem: `\`${mark}\` within \`${written}\`` };
  return { part: { kind: "command", command: command.trim(), written } };
}
