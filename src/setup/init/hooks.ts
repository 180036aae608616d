// Hooks that stand in an agent's settings file, as rules that run the same scripts on the other agents. The file itself stays
// as it is: there the agent goes on to run them.
import { join, parse } from "node:path";
import { asText } from "../../agents/log/json-fields.ts";
import { findAgent, loadInstallers, namesWith } from "../../agents/roster.ts";
import {
  type HookInstaller,
  INSTALL_SCOPES,
  type InstallContext,
  type InstallScope,
} from "../../agents/steps/installer.ts";
import { listSettingsFiles, readSettingsFile } from "../../agents/steps/settings-layers.ts";
import { NO_TOOLS } from "../../agents/steps/tool-table.ts";
import { Fault } from "../../core/command/fault.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import {
  commandOfHandler,
  type InstalledHandler,
  isOurHandler,
  listHandlers,
} from "../../hooks/install/entries.ts";
import { type HooksSeen, lookAtFile } from "../../hooks/install/look.ts";
import { holdStill, isRuleThere, listRules, type RuleEntry } from "./hook-rules.ts";
import { draftRule } from "./rule-draft.ts";
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

export async function planHooks(context: HooksContext, show: ShowPath): Promise<HooksPlan> {
  const installers = await loadInstallers();
  const acts: HookAct[] = [];
  const notes: string[] = [];
  const seenFiles = new Set<string>();
  for (const installer of installers)
    for (const scope of INSTALL_SCOPES)
      for (const file of listHookFiles(installer, scope, context)) {
        if (seenFiles.has(file)) continue;
        seenFiles.add(file);
        const seen = await lookAtSettings(installer, scope, { file, target: context });
        if (seen.kind === "broken")
          notes.push(`hooks    ${show(file)} cannot be read: ${seen.problem}`);
        const source = { installer, installers, scope, seen, context };
        for (const hook of seen.others) {
          const found = await planHook(hook, source, acts);
          if (found === null) continue;
          if ("entry" in found) acts.push(found);
          else notes.push(`${describeHook(hook)} in ${show(file)}${found.problem}`);
        }
      }
  return { acts, notes: [...new Set(notes)] };
}

/** The file that ours go into, and the others that the agent reads in that layer. */
function listHookFiles(
  installer: HookInstaller,
  scope: InstallScope,
  target: InstallContext,
): string[] {
  const agent = findAgent(installer.agent);
  const isRead = installer.kind === "entries" && agent !== null;
  const others = isRead ? listSettingsFiles(agent, scope, target) : [];
  return [installer.configFile(scope, target), ...others];
}

/**
 * What becomes a rule must be what the agent itself reads of the file. What is only named is read in any form that an agent has
 * for its settings, for that of its hooks may be another.
 */
async function lookAtSettings(
  installer: HookInstaller,
  scope: InstallScope,
  { file, target }: { readonly file: string; readonly target: InstallContext },
): Promise<HooksSeen> {
  if (installer.protocol !== undefined || file === installer.configFile(scope, target))
    return lookAtFile(installer, file);
  const config = await readSettingsFile(file);
  const others = listHandlers(config).filter(({ handler }) => !isOurHandler(handler));
  const nothing = { file, ours: [], others, config: config ?? {} };
  return config === null
    ? { ...nothing, kind: "broken", problem: "it is no settings file" }
    : { ...nothing, kind: "absent", problem: null };
}

const describeHook = ({ event, handler }: InstalledHandler): string =>
  `hook     \`${plainLine(commandOfHandler(handler) ?? "a hook")}\` at ${event}`;

interface HookSource {
  readonly installer: HookInstaller;
  readonly installers: readonly HookInstaller[];
  readonly scope: InstallScope;
  readonly seen: HooksSeen;
  readonly context: HooksContext;
}

/** Null where a rule for it is there already. */
async function planHook(
  hook: InstalledHandler,
  source: HookSource,
  planned: readonly HookAct[],
): Promise<HookAct | { readonly problem: string } | null> {
  const { installer, scope, seen, context } = source;
  if (installer.kind !== "entries" || installer.protocol === undefined) return { problem: "" };
  const tools = (await findAgent(installer.agent)?.tools?.()) ?? NO_TOOLS;
  const matcher = matcherOf(hook, seen.config);
  const made = draftRule(hook, { installer, tools, matcher, scope });
  if ("problem" in made) return { problem: `: ${made.problem}` };
  const folder = scope === "project" ? join(context.root, LAYER_FOLDER) : context.configDir;
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
      scope === "project" ? context.root : null,
    );
    return { kind: "hook", name, line, from: seen.file, scope, file, entry, runs };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { problem: `: ${error.message}` };
  }
}

/** Who runs hooks, but for those that run these by themselves. */
function listOthers({ installer, installers, seen, context }: HookSource): string[] {
  const own = new Set([
    installer.agent,
    ...installers.flatMap((one) =>
      one.alsoRuns?.(context).includes(seen.file) ? [one.agent] : [],
    ),
  ]);
  return namesWith("hooks").filter((name) => !own.has(name));
}

function matcherOf({ event, path }: InstalledHandler, config: unknown): string {
  const items = asRecord(asRecord(config).hooks)[event];
  return asText(asRecord(Array.isArray(items) ? items[path[0]] : {}).matcher) ?? "";
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
