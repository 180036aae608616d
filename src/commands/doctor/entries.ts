// What the files alone say: entries missing, doubled, switched off, or beside those of others. Pure.
import { isRecord } from "../../agents/json-fields.ts";
import type { HookInstaller, InstallScope } from "../../hooks/install/installer.ts";
import type { HooksSeen } from "../../hooks/install/look.ts";
import { commandOfHandler } from "../../hooks/install/our-entry.ts";
import { STEP_RULES, type StepName } from "../../hooks/step.ts";
import { attention, type Finding, fine, note, warning } from "./finding.ts";

export interface ScopeSeen {
  readonly scope: InstallScope;
  readonly seen: HooksSeen;
}

const installCommand = (agent: string, scope: InstallScope): string =>
  `\`adj install ${agent}${scope === "project" ? " --project" : ""}\``;

/** The steps that are asked there. */
export const installedSteps = (installer: HookInstaller, { ours, kind }: HooksSeen): StepName[] => {
  if (installer.kind === "plugin") return [];
  const events = new Set(kind === "installed" ? ours.map(({ event }) => event) : []);
  return installer.events.filter(({ event }) => events.has(event)).map(({ step }) => step);
};

export function judgeFile(
  installer: HookInstaller,
  { scope, seen }: ScopeSeen,
  guarded: ReadonlySet<StepName>,
): Finding[] {
  const { agent } = installer;
  if (seen.kind === "broken")
    return [attention(`${scope}: ${seen.problem}`, "mend the file, or the agent runs no hook")];
  if (seen.kind === "absent") return [];
  if (installer.kind === "plugin") return [fine(`${scope}: the plugin is in ${seen.file}`)];
  return [
    ...judgeEvents(installer.events, { scope, seen }, installCommand(agent, scope)),
    ...judgeSwitches(agent, seen),
    ...judgeFailure(agent, { scope, seen }, guarded),
  ];
}

function judgeEvents(
  events: readonly { readonly event: string }[],
  { scope, seen }: ScopeSeen,
  repair: string,
): Finding[] {
  const there = seen.ours.map(({ event }) => event);
  const isOnlyStart = there.length === 1 && there[0] === events[0]?.event;
  if (isOnlyStart) return [note(`${scope}: session start alone, in ${seen.file}`)];
  const missing = events.filter(({ event }) => !there.includes(event));
  const doubled = new Set(there.filter((event, at) => there.indexOf(event) !== at));
  return [
    missing.length === 0
      ? fine(`${scope}: ${there.length} entries in ${seen.file}`)
      : attention(`${scope}: ${names(missing)} lacks its entry in ${seen.file}`, repair),
    ...(doubled.size === 0
      ? []
      : [attention(`${scope}: ${[...doubled].join(", ")} is there twice in ${seen.file}`, repair)]),
  ];
}

const names = (events: readonly { readonly event: string }[]): string =>
  events.map(({ event }) => event).join(", ");

/** Settings by which an agent runs no hooks at all. */
function judgeSwitches(agent: string, { config, file }: HooksSeen): Finding[] {
  const settings = isRecord(config) ? config : {};
  const hooksConfig = isRecord(settings.hooksConfig) ? settings.hooksConfig : {};
  const found = [
    ...(settings.disableAllHooks === true ? ["`disableAllHooks` is true"] : []),
    ...(hooksConfig.enabled === false ? ["`hooksConfig.enabled` is false"] : []),
    ...(Array.isArray(hooksConfig.disabled) && hooksConfig.disabled.includes("adjutant")
      ? ["`hooksConfig.disabled` names `adjutant`"]
      : []),
  ];
  return found.map((problem) =>
    attention(`${problem} in ${file}`, `\`${agent}\` calls no hook of ours until it is changed`),
  );
}

/** Only Claude Code can be told to fail closed. */
function judgeFailure(
  agent: string,
  { scope, seen }: ScopeSeen,
  guarded: ReadonlySet<StepName>,
): Finding[] {
  if (agent !== "claude-code" || !guarded.has("before_tool")) return [];
  const entry = seen.ours.find(({ event }) => event === "PreToolUse")?.handler;
  if (!isRecord(entry) || entry.onFailure === "block") return [];
  const text = `${scope}: there are guards, but a hook that fails lets the tool run`;
  return [attention(text, `${installCommand(agent, scope)} again`)];
}

const DECIDING = new Set(["PreToolUse", "BeforeTool", "preToolUse", "PermissionRequest"]);

// Each as seen in the pinned version: who has the last word where hooks of others stand beside ours.
const BESIDE: Readonly<Record<string, string>> = {
  "claude-code":
    "if it rewrites too, whoever ends last wins, and our rules do not see what it made",
  codex: "if it rewrites too, whoever ends last wins, and our rules do not see what it made",
  gemini: "a block of either holds; the later rewrite wins, and our rules do not see it",
  copilot: "a block of either holds; what it rewrites behind us our rules do not see",
  opencode: "a block of either holds; what it rewrites behind us our rules do not see",
};

/** Hooks of others at the events where we decide. */
export function judgeOthers(
  agent: string,
  scopes: readonly ScopeSeen[],
  neighbours: readonly string[],
): Finding[] {
  const entries = scopes.flatMap(({ seen }) =>
    seen.others
      .filter(({ event }) => DECIDING.has(event))
      .map(({ event, handler }) => `\`${commandOfHandler(handler) ?? "a hook"}\` at ${event}`),
  );
  const others = [...entries, ...neighbours.map((file) => `\`${file}\``)];
  if (others.length === 0) return [];
  const listed = [...new Set(others)].join(", ");
  const effect = BESIDE[agent];
  return effect === undefined
    ? [note(`beside ours: ${listed}: an allow of theirs cannot undo a block of ours`)]
    : [warning(`beside ours: ${listed}: ${effect}`)];
}

export function judgeDouble(agent: string, scopes: readonly ScopeSeen[]): Finding[] {
  const installed = scopes.filter(({ seen }) => seen.kind === "installed");
  if (installed.length < 2) return [];
  return [
    attention(
      "installed for the user and in the project: every step is asked twice",
      `\`adj uninstall ${agent}\` or \`adj uninstall ${agent} --project\``,
    ),
  ];
}

export interface RuleNeed {
  readonly name: string;
  readonly on: readonly StepName[];
  /** Undefined for all. */
  readonly agents: readonly string[] | undefined;
}

/** Rules that nobody asks, because their step is not installed or not there at all. */
export function judgeRules(
  agent: string,
  rules: readonly RuleNeed[],
  steps: { readonly offered: ReadonlySet<StepName>; readonly installed: ReadonlySet<StepName> },
): Finding[] {
  return rules.flatMap(({ name, on, agents }) => {
    if (agents !== undefined && !agents.includes(agent)) return [];
    const asked = on.filter((step) => !step.endsWith("_command"));
    const absent = asked.filter((step) => steps.offered.has(step) && !steps.installed.has(step));
    const impossible = asked.filter((step) => !steps.offered.has(step));
    return [
      ...absent.map((step) =>
        attention(
          `rule \`${name}\` is never asked at \`${step}\`: it is not installed`,
          `\`adj install ${agent}\``,
        ),
      ),
      ...impossible
        .filter((step) => agents !== undefined || STEP_RULES[step].onError === "block")
        .map((step) =>
          warning(`rule \`${name}\` is never asked at \`${step}\`: there is no such event`),
        ),
    ];
  });
}
