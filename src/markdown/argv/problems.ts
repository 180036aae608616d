// What is wrong with a use of a flag or a setting, told before anything runs.
import type { AgentCapabilities, FlagCapability } from "../../agents/run/capabilities.ts";
import type { ConfigProblem } from "../../agents/run/config.ts";
import { type Fault, fault } from "../../core/command/fault.ts";
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import { SETTING_KEYS } from "../file/keys.ts";
import type { MarkdownFile } from "../file/markdown-file.ts";
import { isNothing } from "./flag-words.ts";
import {
  type FlagKeyUse,
  isSameUse,
  type KeyUse,
  type SettingKeyUse,
  type UseSource,
} from "./uses.ts";

export interface TargetAgent {
  readonly name: string;
  /** Null where it is not known. */
  readonly version: string | null;
  readonly capabilities: AgentCapabilities;
  /** Fields of its configuration that no other agent has. */
  readonly ownFields: readonly string[];
}

export interface FlagProblem {
  readonly source: UseSource;
  readonly path: readonly PropertyKey[];
  readonly part: "key" | "value";
  readonly message: string;
  readonly hint: string | null;
}

interface FlagCheckContext {
  readonly agent: TargetAgent;
  readonly forceFlags: boolean;
  /** The command's own flags, one of which may have been meant. */
  readonly commandFlags: readonly string[];
}

export function findUseProblem(use: KeyUse, context: FlagCheckContext): FlagProblem | null {
  if (isNothing(use.value)) return null;
  const nested = findNested(use);
  if (nested !== null) return nested;
  return use.kind === "setting" ? findSettingProblem(use, context) : findFlagProblem(use, context);
}

const complain = (
  { source, key }: Pick<KeyUse, "source" | "key">,
  message: string,
  { hint = null, part = "value" }: { hint?: string | null; part?: "key" | "value" } = {},
): FlagProblem => ({ source, path: [key], part, message, hint });

/** A map has no form on a command line, and a list within a list has none either. */
function findNested({ source, key, value }: KeyUse): FlagProblem | null {
  const message = (what: string) => `\`${key}\` takes a value or a list of values, not a ${what}`;
  const whatIs = (one: unknown) => (Array.isArray(one) ? "list in a list" : "map");
  const isNested = (one: unknown) => typeof one === "object" && one !== null;
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  if (isNested(value) && !Array.isArray(value)) return complain({ source, key }, message("map"));
  const at = elements.findIndex(isNested);
  if (at >= 0)
    return { ...complain({ source, key }, message(whatIs(elements[at]))), path: [key, at] };
  const nul = [value, ...elements].some((one) => typeof one === "string" && one.includes("\0"));
  return nul ? complain({ source, key }, `\`${key}\` holds a NUL byte`) : null;
}

function findSettingProblem(use: SettingKeyUse, { agent }: FlagCheckContext): FlagProblem | null {
  const { setting } = use;
  if (setting === "output_format" || agent.capabilities.settings[setting] !== undefined)
    return null;
  const hint = "remove it, or run the command with another agent";
  return complain(use, `\`${agent.name}\` has no control for \`${use.key}\``, {
    hint,
    part: "key",
  });
}

function findFlagProblem(use: FlagKeyUse, context: FlagCheckContext): FlagProblem | null {
  const { agent, forceFlags } = context;
  const { flag, written } = use;
  // Of an agent that is any program nothing is known.
  if (agent.capabilities.flags.length === 0) return null;
  if (flag === undefined) return forceFlags ? null : unknownFlag(use, context);
  // The body may take the place of the prompt that Adjutant would have passed.
  if (agent.capabilities.ownFlags.includes(flag.name) && !/^\$0*1$/.test(use.key))
    return complain(use, `\`${written}\` is set by Adjutant`, { part: "key" });
  const problem = written.includes("=") ? null : findValueProblem(flag, use);
  return problem === null ? null : complain(use, problem);
}

function unknownFlag(use: FlagKeyUse, { agent, commandFlags }: FlagCheckContext): FlagProblem {
  const own = use.source === "flags" ? commandFlags : [];
  const names = agent.capabilities.flags.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const who = `\`${agent.name}\`${agent.version === null ? "" : ` ${agent.version}`}`;
  const guess = didYouMean(use.written, [...own, ...names], 1);
  return complain(use, `${who} has no flag \`${use.written}\`${guess}`, {
    hint: "`--force-flags` passes it all the same",
    part: "key",
  });
}

function findValueProblem(
  flag: FlagCapability,
  { value, written, source }: FlagKeyUse,
): string | null {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const mayRepeat = flag.isRepeatable === true || flag.takes === "list";
  if (values.length > 1 && !mayRepeat) return `\`${written}\` may be given only once`;
  if (flag.takes === "nothing")
    return value === true ? null : `\`${written}\` takes no value: give \`true\` or \`false\``;
  if (flag.takes !== "optional" && values.some((one) => one === true || one === false))
    return source === "flags"
      ? `\`${written}\` needs a value: give it as \`${written}=…\``
      : `\`${written}\` needs a value`;
  const { choices } = flag;
  if (choices === undefined || values.every((one) => choices.includes(String(one)))) return null;
  return `\`${written}\` must be one of ${quoteNames(choices)}`;
}

/** One layer says the same thing twice under two names: nobody can tell which one was meant. */
export function findConflicts(uses: readonly KeyUse[]): FlagProblem[] {
  const set = uses.filter(({ value }) => !isNothing(value));
  return set.flatMap((use, at): FlagProblem[] => {
    const before = set.slice(0, at).find((one) => one.source === use.source && isSameUse(one, use));
    if (before === undefined) return [];
    const message = `\`${before.key}\` and \`${use.key}\` set the same flag`;
    return [{ source: use.source, path: [use.key], part: "key", message, hint: null }];
  });
}

/** A problem where it was made: in the file with its place, in the settings, or on the command line. */
export function flagFault(
  { file, name, at }: MarkdownFile,
  { source, path, part, message, hint }: FlagProblem,
  executable: string,
): Fault {
  const details = hint === null ? {} : { hint };
  if (source === "file")
    return fault("FileInvalid", { problem: message }, { ...details, where: at(path, part) });
  if (source === "flags")
    return fault("ArgumentsInvalid", { command: name, problem: message }, details);
  const problem = `\`commands.${executable}\` in the settings, used by \`${file}\`: ${message}`;
  return fault("FileInvalid", { problem }, details);
}

/** What the adapter finds wrong with a setting, in the words of the front matter. */
export function settingFault(
  file: MarkdownFile,
  { path, message }: ConfigProblem,
  flags: Readonly<Record<string, unknown>>,
): Fault {
  const [, field = "", index] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? [];
  const named = [...SETTING_KEYS].find(([, setting]) => setting === field)?.[0];
  const key = named ?? field.replaceAll("_", "-");
  const problem = key === "" ? message : `\`${key}\` ${message}`;
  if (Object.hasOwn(flags, key) || !Object.hasOwn(file.frontMatter, key))
    return fault("ArgumentsInvalid", { command: file.name, problem });
  const where = file.at(index === undefined ? [key] : [key, Number(index)]);
  return fault("FileInvalid", { problem }, { where });
}
