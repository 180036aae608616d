// What a hook of a settings file comes to as a rule: its step, the kinds of tools and the words that it runs; or why no rule can
// say the same. Pure.
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { EntryInstaller, InstallScope } from "../../agents/steps/installer.ts";
import type { ToolTable } from "../../agents/steps/tool-table.ts";
import { Fault } from "../../core/command/fault.ts";
import { splitWords } from "../../core/command/words.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import { commandOfHandler, type InstalledHandler } from "../../hooks/install/entries.ts";

interface RuleFacts {
  readonly installer: EntryInstaller;
  readonly tools: ToolTable;
  readonly matcher: string;
  readonly scope: InstallScope;
}

interface DraftRule {
  readonly on: string;
  readonly match: { readonly kind?: readonly string[] };
  readonly timeout: string;
  readonly on_error: "block" | "skip";
  readonly async?: true;
  readonly line: string;
  /** Null where only a shell can read the line. */
  readonly argv: readonly string[] | null;
}

/** A step of ours may have a minute, which is what most scripts need least of. */
const USUAL_SECONDS = 60;

export function draftRule(
  { event, handler }: InstalledHandler,
  { installer, tools, matcher, scope }: RuleFacts,
): DraftRule | { readonly problem: string } {
  const fields = asRecord(handler);
  const step = installer.events.find((one) => one.event === event)?.step;
  const line = commandOfHandler(handler);
  if (step === undefined || installer.abilities.steps[step]?.event !== event)
    return { problem: "no step of ours is like it" };
  if (line === null || (fields.type ?? "command") !== "command" || fields.shell === "powershell")
    return { problem: "only what runs a program can be taken over" };
  if (fields.if !== undefined) return { problem: "its `if` has no counterpart" };
  const kinds = kindsFor(matcher, tools);
  const isTool = step.endsWith("_tool") || step === "before_permission";
  if (kinds === null || (kinds.length > 0 && !isTool))
    return { problem: `its matcher \`${plainLine(matcher)}\` has no counterpart` };
  const isAsync = fields.async === true || fields.asyncRewake === true;
  const seconds = typeof fields.timeout === "number" ? fields.timeout : USUAL_SECONDS;
  return {
    on: step,
    match: kinds.length === 0 ? {} : { kind: kinds },
    timeout: `${Math.max(1, Math.ceil(seconds))}s`,
    // Where the agent itself goes on when a script fails, so do the others.
    on_error: fields.onFailure === "block" && !isAsync ? "block" : "skip",
    ...(isAsync ? { async: true } : {}),
    line,
    argv: readArgvOf(fields, line, { installer, scope }),
  };
}

/** The kinds of tools that a matcher names; none for all of them, null where it means others as well. */
function kindsFor(matcher: string, { tools }: ToolTable): string[] | null {
  if (matcher === "" || matcher === "*") return [];
  const names = Object.keys(tools);
  const isList = /^[\w |,-]+$/.test(matcher);
  const wanted = isList ? matcher.split(/[|,]/).map((name) => name.trim()) : [];
  if (wanted.some((name) => !names.includes(name))) return null;
  if (!isList) {
    // A pattern may mean tools of servers, whose names each agent makes up by itself.
    if (/mcp|\.\*$|^\^?\./.test(matcher)) return matcher === ".*" ? [] : null;
    wanted.push(...names.filter((name) => matchesPattern(matcher, name)));
    if (wanted.length === 0) return null;
  }
  return [...new Set(wanted.flatMap((name) => tools[name]?.kind ?? []))];
}

function matchesPattern(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern).test(name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

/** The words where no shell is needed for them, from the folder of the hooks file. */
function readArgvOf(
  fields: Readonly<Record<string, unknown>>,
  line: string,
  { installer, scope }: Pick<RuleFacts, "installer" | "scope">,
): string[] | null {
  const root = installer.abilities.projectVariables.join("|");
  const variable = new RegExp(`\\$(?:\\{(?:${root})\\}|(?:${root})(?!\\w))`, "g");
  const words = Array.isArray(fields.args)
    ? [String(fields.command), ...fields.args.map(String)]
    : splitPlain(line, variable);
  if (words === null) return null;
  const moved = words.map((word, at) => {
    if (word.search(variable) === 0) return word.replace(variable, "..");
    const isFile = /^\.{1,2}\/|^\.[\w-]+\//.test(word) || (at === 0 && /^[\w-]+\//.test(word));
    return isFile ? join("..", word) : word;
  });
  // A person's own file has no project beside it.
  const isElsewhere = scope === "user" && !isDeepStrictEqual(moved, words);
  return isElsewhere || moved.some((word) => word.includes("$")) ? null : moved;
}

/** Null where the line has anything but words. */
function splitPlain(line: string, variables: RegExp): string[] | null {
  const rest = line.replaceAll(variables, "");
  if (/[$`;&|<>(){}*?[\]~#\n\\]/.test(rest) || /^\s*\w+=/.test(rest)) return null;
  try {
    return splitWords(line);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return null;
  }
}
