// What an agent honours of a decision, in words and as data.
import { statSync } from "node:fs";
import { findAgents, installContextOf } from "../../agents/commands/install-target.ts";
import { requireInstaller } from "../../agents/roster.ts";
import type { HookAbilities, StepAbility } from "../../agents/steps/hook-agent.ts";
import {
  HOOK_SCOPES,
  type HookInstaller,
  type HookScope,
  type InstallContext,
} from "../../agents/steps/installer.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { escapeControls, escapeLine } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { diffLines } from "../../core/project/line-diff.ts";
import { STEP_RULES, STEPS, type StepName } from "../../core/step/step.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import type { HooksChange } from "../install/apply.ts";
import { readExactText } from "../install/config-file.ts";
import { lookAtHooks } from "../install/look.ts";

const ABILITY_COLUMNS = [
  { title: "STEP" },
  { title: "EVENT" },
  { title: "A VETO" },
  { title: "MAY CHANGE" },
  { title: "CANNOT", least: 12 },
] as const;

/** Steps of commands are Adjutant's own and are honoured everywhere. */
const AGENT_STEPS = STEPS.filter((step) => !step.endsWith("_command"));

interface StepLine {
  readonly step: StepName;
  /** Null where the agent has no such event. */
  readonly event: string | null;
  readonly veto: StepAbility["veto"];
  readonly changes: readonly string[];
  readonly cannot: readonly string[];
}

export const listAbilities = ({ steps }: HookAbilities): StepLine[] =>
  AGENT_STEPS.map((step) => describeStepAbility(step, steps[step]));

function describeStepAbility(step: StepName, ability: StepAbility | undefined): StepLine {
  const { canVeto, changes } = STEP_RULES[step];
  if (ability === undefined) return { step, event: null, veto: "none", changes: [], cannot: [] };
  const lost = changes.filter((field) => !ability.changes.includes(field));
  const isAskLost = ability.changes.includes("permission") && !ability.canAsk;
  return {
    step,
    event: ability.event,
    veto: ability.veto,
    changes: ability.changes,
    cannot: [
      ...(canVeto && (ability.veto === "none" || ability.veto === "warns") ? ["veto"] : []),
      ...lost,
      ...(isAskLost ? ["ask"] : []),
    ],
  };
}

const VETOES: Readonly<Record<StepAbility["veto"], string>> = {
  blocks: "blocks",
  continues: "goes on",
  feedback: "is told",
  warns: "warns",
  none: "",
};

export function formatAbilities(abilities: HookAbilities, width: number | null): string[] {
  const rows = listAbilities(abilities).map(({ step, event, veto, changes, cannot }) => [
    step,
    event ?? "not there",
    VETOES[veto],
    changes.join(", "),
    cannot.join(", "),
  ]);
  return [...formatTable(ABILITY_COLUMNS, rows, width), ...describeVirtual(abilities)];
}

const SHIMS: Readonly<Record<HookAbilities["shims"], string>> = {
  "env-file": "virtual commands: on PATH from the start of a session",
  plugin: "virtual commands: on PATH in every shell of the agent",
  "line-prefix":
    "virtual commands: a line that needs one gets a `PATH=…` in front, which the agent shows",
  none: "virtual commands: those that only read are answered; for others the agent is told the `adj run` line",
};

const PROMPTS: Readonly<Record<HookAbilities["promptAnswer"], string | null>> = {
  "blocked-prompt":
    "a virtual command typed as the prompt is answered without the model, as a blocked prompt",
  handled: "a virtual command typed as the prompt is answered without the model",
  "synthetic-response": "a virtual command typed as the prompt is answered without the model",
  none: null,
};

function describeVirtual({ shims, promptAnswer, rewriteAllows }: HookAbilities): string[] {
  const prompt = PROMPTS[promptAnswer];
  return [
    SHIMS[shims],
    ...(prompt === null ? [] : [prompt]),
    ...(rewriteAllows ? ["a rewritten tool call counts as allowed on this agent"] : []),
  ];
}

interface WrittenEntries {
  readonly scope: HookScope;
  readonly client: readonly string[];
  /** Guards were in force. */
  readonly isGuarded: boolean;
}

/** What the person must still do; in a project everybody also needs `adj` itself. */
export async function listInstallSteps(
  installer: HookInstaller,
  { scope, client, isGuarded }: WrittenEntries,
  target: InstallContext,
): Promise<string[]> {
  if (scope === "managed") return listManagedSteps(installer, client[0] ?? "", target);
  const steps = [...installer.nextSteps(scope)];
  if (scope === "user") return steps;
  const search = await findProgram("adj", { path: target.env.PATH, cwd: target.root });
  if (search.kind !== "found") steps.unshift("put `adj` on PATH: the entries call it by name");
  const without = `without \`adj\` on PATH \`${installer.agent}\``;
  steps.push(
    isGuarded
      ? `tell the others: ${without} refuses what the guards would look at, and says why`
      : `${without} goes on as if there were no hooks; install again once a guard is in force`,
  );
  return steps;
}

const OTHERS_WRITE = 0o022;

function listManagedSteps(
  installer: HookInstaller,
  program: string,
  target: InstallContext,
): string[] {
  const { uid, mode } = statSync(program, { throwIfNoEntry: false }) ?? { uid: 0, mode: 0 };
  const isOpen = uid !== 0 || (mode & OTHERS_WRITE) !== 0;
  const companion = installer.companion?.(installer.configFile("user", target));
  const text = companion === undefined ? null : readExactText(companion.file);
  return [
    ...(isOpen
      ? [`\`${program}\` can be changed by others than root: install Adjutant where they cannot`]
      : []),
    ...(companion === undefined || text === null || text === companion.text
      ? []
      : [`\`${companion.file}\` was there: it must say what this says\n${companion.text}`]),
    ...installer.nextSteps("user"),
    "users who installed it for themselves are asked twice until `adj uninstall` there",
  ];
}

const INSTALLED_COLUMNS = [
  { title: "AGENT" },
  { title: "VERSION" },
  { title: "USER" },
  { title: "PROJECT" },
  { title: "MANAGED" },
  { title: "PROGRAM", least: 20, cut: "start" },
] as const;

/** What is here and what could be installed. */
export async function listInstalled(
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const target = installContextOf(context, program);
  const found = await findAgents(context, program);
  const agents = await Promise.all(
    found.map(async (one) => {
      const installer = await requireInstaller(one.agent);
      const [user, project, managed] = HOOK_SCOPES.map((scope) => {
        const { file, kind } = lookAtHooks(installer, scope, target);
        return { file, state: kind };
      });
      return { ...one, user, project, managed };
    }),
  );
  const rows = agents.map(({ agent, isFound, version, program: path, user, project, managed }) => [
    agent,
    isFound ? (version ?? "") : "not here",
    user?.state ?? "",
    project?.state ?? "",
    managed?.state ?? "",
    path,
  ]);
  const lines = formatTable(INSTALLED_COLUMNS, rows, screenWidth(context));
  return ok([...lines, "install with `adj install AGENT`"].join("\n"), { agents });
}

// What was done to an agent's file, or would be, in words.

export function describeWritten(
  agent: string,
  { file: path, did, before, after }: HooksChange,
  { isDryRun, what }: { readonly isDryRun: boolean; readonly what: string },
): string {
  const file = escapeLine(path);
  if (did === "nothing") return `${agent}: ${file} has ${what} already`;
  if (!isDryRun) return `${agent}: wrote ${file}`;
  return `${agent}: would write ${file}\n${showDiff(before, after)}`;
}

/** What is there already may be a repository's. */
const showDiff = (before: string | null, after: string | null): string =>
  escapeControls(diffLines(before ?? "", after ?? "").trimEnd());

const DONE = { removed: "removed", changed: "took the entries out of" } as const;
const TRIED = { removed: "would remove", changed: "would take the entries out of" } as const;

export function describeRemoval(
  { agent, file: path, did, before, after }: HooksChange & { agent: string },
  isDryRun: boolean,
): string {
  const file = escapeLine(path);
  if (did === "nothing" || did === "created") return `${agent}: nothing of Adjutant in ${file}`;
  if (!isDryRun) return `${agent}: ${DONE[did]} ${file}`;
  return `${agent}: ${TRIED[did]} ${file}\n${showDiff(before, after)}`;
}
