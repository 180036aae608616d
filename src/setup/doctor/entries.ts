// What the files alone say: entries missing, doubled, switched off, or beside those of others. Pure.

import { findMcpInstaller } from "../../agents/roster.ts";
import {
  type EntryInstaller,
  type HookInstaller,
  type HookScope,
  INSTALL_SCOPES,
  type InstallContext,
} from "../../agents/steps/installer.ts";
import {
  attentionFinding,
  type Finding,
  noteFinding,
  okFinding,
  warningFinding,
} from "../../core/commands/finding.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { isRecord } from "../../core/project/json-value.ts";
import { STEP_RULES, type StepName } from "../../core/step/step.ts";
import { lookAtServer } from "../../hooks/install/change-server.ts";
import { commandOfHandler } from "../../hooks/install/entries.ts";
import {
  HELD_STEPS,
  HOLD_SPARE_MS,
  heldLimitOf,
  limitOfLine,
} from "../../hooks/install/hold-limit.ts";
import type { HooksSeen } from "../../hooks/install/look.ts";

export interface ScopeSeen {
  readonly scope: HookScope;
  readonly seen: HooksSeen;
}

const installCommand = (agent: string, scope: HookScope, verb = "install"): string =>
  `\`adj ${verb} ${agent}${scope === "user" ? "" : ` --${scope}`}\``;

export function judgeFile(
  installer: HookInstaller,
  { scope, seen }: ScopeSeen,
  guarded: ReadonlySet<StepName>,
): Finding[] {
  const { agent } = installer;
  if (seen.kind === "broken")
    return [
      attentionFinding(`${scope}: ${seen.problem}`, "mend the file, or the agent runs no hook"),
    ];
  if (seen.kind === "absent") return [];
  if (installer.kind === "plugin") return [okFinding(`${scope}: the plugin is in ${seen.file}`)];
  return [
    ...judgeEvents(installer.events, { scope, seen }, installCommand(agent, scope)),
    ...judgeFailure(installer, { scope, seen }, guarded),
  ];
}

function judgeEvents(
  events: readonly { readonly event: string }[],
  { scope, seen }: ScopeSeen,
  repair: string,
): Finding[] {
  const there = seen.ours.map(({ event }) => event);
  const isOnlyStart = there.length === 1 && there[0] === events[0]?.event;
  if (isOnlyStart) return [noteFinding(`${scope}: session start alone, in ${seen.file}`)];
  const missing = events.filter(({ event }) => !there.includes(event));
  const doubled = new Set(there.filter((event, at) => there.indexOf(event) !== at));
  return [
    missing.length === 0
      ? okFinding(`${scope}: ${there.length} entries in ${seen.file}`)
      : attentionFinding(`${scope}: ${names(missing)} lacks its entry in ${seen.file}`, repair),
    ...(doubled.size === 0
      ? []
      : [
          attentionFinding(
            `${scope}: ${[...doubled].join(", ")} is there twice in ${seen.file}`,
            repair,
          ),
        ]),
  ];
}

const names = (events: readonly { readonly event: string }[]): string =>
  events.map(({ event }) => event).join(", ");

/** Whether a question can wait as long as the person wants, by what the entries say themselves. */
export function judgeHold(
  installer: HookInstaller,
  { scope, seen }: ScopeSeen,
  holdMs: number | undefined,
): Finding[] {
  const { agent, abilities } = installer;
  const limitsMs = listAskingLines(installer, seen).map((line) => limitOfLine(line, abilities));
  const limitMs = Math.min(
    ...limitsMs,
    ...(seen.askLimitMs === undefined ? [] : [seen.askLimitMs]),
  );
  const waitsMs = limitMs - HOLD_SPARE_MS;
  if (holdMs === undefined || holdMs <= waitsMs) return [];
  const wantedMs = scope === "managed" ? null : heldLimitOf(abilities, holdMs);
  const advice =
    wantedMs !== null && limitMs < wantedMs
      ? `run ${installCommand(agent, scope)} again`
      : "that is what the agent gives these hooks";
  const text = `${scope}: \`inbox.hold\` is ${holdMs / 1_000} s, and a question waits ${waitsMs / 1_000} s at most`;
  return [warningFinding(`${text}: ${advice}`)];
}

/** What is called where a person may be asked; null for what is no line. */
function listAskingLines(installer: HookInstaller, seen: HooksSeen): (string | null)[] {
  if (seen.kind !== "installed" || installer.kind === "plugin") return [];
  const asking = installer.events.filter(({ step }) => HELD_STEPS.has(step));
  return seen.ours
    .filter(({ event }) => asking.some((one) => one.event === event))
    .map(({ handler }) => commandOfHandler(handler));
}

/** For agents that can be told to fail closed. */
function judgeFailure(
  { agent, events, isFailClosed }: EntryInstaller,
  { scope, seen }: ScopeSeen,
  guarded: ReadonlySet<StepName>,
): Finding[] {
  if (isFailClosed === undefined || !guarded.has("before_tool")) return [];
  const deciding = events.find(({ step }) => step === "before_tool")?.event;
  const entry = seen.ours.find(({ event }) => event === deciding)?.handler;
  if (!isRecord(entry) || isFailClosed(entry)) return [];
  const text = `${scope}: there are guards, but a hook that fails lets the tool run`;
  return [attentionFinding(text, `${installCommand(agent, scope)} again`)];
}

const DECIDING = new Set(["PreToolUse", "BeforeTool", "preToolUse", "PermissionRequest"]);

/** Hooks of others at the events where we decide. */
export function judgeOthers(
  { besideOthers: effect }: HookInstaller,
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
  return effect === null
    ? [noteFinding(`beside ours: ${listed}: an allow of theirs cannot undo a block of ours`)]
    : [warningFinding(`beside ours: ${listed}: ${effect}`)];
}

const PLACES = {
  user: "for the user",
  project: "in the project",
  managed: "for everybody on this machine",
} as const;

export function judgeDouble(agent: string, scopes: readonly ScopeSeen[]): Finding[] {
  const installed = scopes.filter(({ seen }) => seen.kind === "installed");
  if (installed.length < 2) return [];
  const where = installed.map(({ scope }) => PLACES[scope]);
  const repairs = installed.map(({ scope }) => installCommand(agent, scope, "uninstall"));
  return [
    attentionFinding(
      `installed ${where.join(" and ")}: every step is asked ${where.length === 2 ? "twice" : "three times"}`,
      repairs.join(" or "),
    ),
  ];
}

interface RuleNeed {
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
        attentionFinding(
          `rule \`${name}\` is never asked at \`${step}\`: it is not installed`,
          `\`adj install ${agent}\``,
        ),
      ),
      ...impossible
        .filter((step) => agents !== undefined || STEP_RULES[step].onError === "block")
        .map((step) =>
          warningFinding(`rule \`${name}\` is never asked at \`${step}\`: there is no such event`),
        ),
    ];
  });
}

// The entries of our MCP server in the agents' files: whether what they start is there.

export async function judgeServers(agent: string, target: InstallContext): Promise<Finding[]> {
  const installer = await findMcpInstaller(agent);
  if (installer === null) return [];
  const findings: Finding[] = [];
  for (const scope of INSTALL_SCOPES) {
    const { file, words } = lookAtServer(installer, scope, target);
    const program = words?.[0];
    if (program === undefined) continue;
    const search = await findProgram(program, { path: target.env.PATH, cwd: target.root });
    const flag = scope === "user" ? "" : " --project";
    const why = scope === "project" ? await installer.whyNotStarted?.(target) : null;
    if (typeof why === "string") findings.push(warningFinding(`${scope}: ${why}`));
    findings.push(
      search.kind === "found"
        ? okFinding(`${scope}: the MCP server is in ${file}`)
        : attentionFinding(
            `${scope}: the MCP server in ${file} is \`${program}\`, which is not there`,
            `\`adj install ${agent} --mcp${flag}\` mends it, \`adj uninstall ${agent} --mcp${flag}\` takes it away`,
          ),
    );
  }
  return findings;
}
