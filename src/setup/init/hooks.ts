// Hooks that stand in an agent's settings file, as rules that run the same scripts on the other agents. The file itself stays
// as it is: there the agent goes on to run them.
import { join, parse } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { asRecord, asText } from "../../agents/log/json-fields.ts";
import { findAgent, loadInstallers, namesWith } from "../../agents/roster.ts";
import {
  type EntryInstaller,
  type HookInstaller,
  INSTALL_SCOPES,
  type InstallContext,
  type InstallScope,
} from "../../agents/steps/installer.ts";
import { NO_TOOLS, type ToolTable } from "../../agents/steps/tool-table.ts";
import { Fault } from "../../core/command/fault.ts";
import { splitWords } from "../../core/command/words.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import { commandOfHandler, type InstalledHandler } from "../../hooks/install/entries.ts";
import { type HooksSeen, lookAtHooks } from "../../hooks/install/look.ts";
import { holdStill, isRuleThere, listRules, type RuleEntry } from "./hook-rules.ts";
import type { ShowPath } from "./surroundings.ts";

/** A hook that is taken over. */
export interface HookAct {
  readonly kind: "hook";
  readonly name: string;
  /** What it runs, as it stands there. */
  readonly line: string;
  readonly from: string;
  readonly scope: InstallScope;
  /** The hooks file that gets the rule. */
  readonly file: string;
  readonly entry: RuleEntry;
  /** Files of the project that it runs; trust holds them as well. */
  readonly runs: readonly string[];
}

export interface HooksPlan {
  readonly acts: readonly HookAct[];
  /** The hooks that stay in their own files and get no rule, a line each. */
  readonly notes: readonly string[];
}

interface HooksContext extends InstallContext {
  readonly configDir: string;
}

export async function planHooks(place: HooksContext, show: ShowPath): Promise<HooksPlan> {
  const installers = await loadInstallers();
  const acts: HookAct[] = [];
  const notes: string[] = [];
  const seenFiles = new Set<string>();
  for (const installer of installers)
    for (const scope of INSTALL_SCOPES) {
      const seen = lookAtHooks(installer, scope, place);
      if (seenFiles.has(seen.file)) continue;
      seenFiles.add(seen.file);
      if (seen.kind === "broken")
        notes.push(`hooks    ${show(seen.file)} cannot be read: ${seen.problem}`);
      const source = { installer, installers, scope, seen, place };
      for (const hook of seen.others) {
        const found = await planHook(hook, source, acts);
        if (found === null) continue;
        if ("entry" in found) acts.push(found);
        else notes.push(`${describeHook(hook)} in ${show(seen.file)}${found.problem}`);
      }
    }
  return { acts, notes: [...new Set(notes)] };
}

const describeHook = ({ event, handler }: InstalledHandler): string =>
  `hook     \`${plainLine(commandOfHandler(handler) ?? "a hook")}\` at ${event}`;

interface HookSource {
  readonly installer: HookInstaller;
  readonly installers: readonly HookInstaller[];
  readonly scope: InstallScope;
  readonly seen: HooksSeen;
  readonly place: HooksContext;
}

/** Null where a rule for it is there already. */
async function planHook(
  hook: InstalledHandler,
  source: HookSource,
  planned: readonly HookAct[],
): Promise<HookAct | { readonly problem: string } | null> {
  const { installer, scope, seen, place } = source;
  if (installer.kind !== "entries" || installer.protocol === undefined) return { problem: "" };
  const tools = (await findAgent(installer.agent)?.tools?.()) ?? NO_TOOLS;
  const matcher = matcherOf(hook, seen.config);
  const made = makeRule(hook, { installer, tools, matcher, scope });
  if ("problem" in made) return { problem: `: ${made.problem}` };
  const folder = scope === "project" ? join(place.root, LAYER_FOLDER) : place.configDir;
  const file = join(folder, "hooks.yaml");
  const agents = listOthers(source);
  const { argv, line, ...rule } = made;
  const run = argv === null ? { shell: "bash", command: line } : { argv };
  const match = { agent: agents, ...rule.match };
  const bare = { ...rule, match, protocol: installer.protocol, run };
  try {
    const there = [
      ...listRules(file),
      ...planned.flatMap((act) => (act.file === file ? [act.entry] : [])),
    ];
    if (isRuleThere(there, bare)) return null;
    const name = freeName(`${installer.agent}-${wordFor(line)}`, there);
    const { runs, entry } = await holdStill(
      { name, ...bare },
      scope === "project" ? place.root : null,
    );
    return { kind: "hook", name, line, from: seen.file, scope, file, entry, runs };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { problem: `: ${error.message}` };
  }
}

/** Who runs hooks, but for those that run these by themselves. */
function listOthers({ installer, installers, seen, place }: HookSource): string[] {
  const own = new Set([
    installer.agent,
    ...installers.flatMap((one) => (one.alsoRuns?.(place).includes(seen.file) ? [one.agent] : [])),
  ]);
  return namesWith("hooks").filter((name) => !own.has(name));
}

function matcherOf({ event, path }: InstalledHandler, config: unknown): string {
  const items = asRecord(asRecord(config).hooks)[event];
  return asText(asRecord(Array.isArray(items) ? items[path[0]] : {}).matcher) ?? "";
}

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

function makeRule(
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

/** `node ./hooks/no-main.mjs` is called `no-main`. */
function wordFor(line: string): string {
  const words = line.split(/[\s"']+/).filter((word) => word !== "");
  const script = words.find((word) => /\/|\.\w+$/.test(word)) ?? words[0] ?? "hook";
  const name = parse(script)
    .name.toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return name.replaceAll(/^-+|-+$/g, "").slice(0, 40) || "hook";
}

function freeName(wanted: string, there: readonly RuleEntry[]): string {
  const taken = new Set(there.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(name)) return name;
  }
}
