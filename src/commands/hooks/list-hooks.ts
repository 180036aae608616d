// `adj hooks list`: the pipeline of each step as it runs here, and what stands in its way.
import type { CommandContext } from "../../command/context.ts";
import type { CommandResult } from "../../command/result.ts";
import { formatTable } from "../../command/text-columns.ts";
import { loadHookSet } from "../../hooks/hook-set.ts";
import type { HookRule, HookSet } from "../../hooks/rule.ts";
import { STEPS, type StepName } from "../../hooks/step.ts";
import { placeOf } from "../install/target.ts";
import type { Program } from "../program.ts";
import { screenWidth } from "../screen-width.ts";
import { findCallingAgents, listUncalled } from "./calling-agents.ts";
import {
  describeManners,
  describeMatch,
  describeRun,
  onErrorOf,
  ruleFacts,
  whereOf,
} from "./describe-rule.ts";
import type { HooksArguments } from "./hooks-arguments.ts";

const CONFIG_EXIT = 2;

export async function listHooks(
  { step }: HooksArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const set = await loadHookSet({ paths: program, root: program.root });
  const agents = findCallingAgents(placeOf(context, program));
  const warnings = [...set.warnings, ...listUncalled(set.rules, agents)];
  const pipelines = (step === undefined ? STEPS : [step])
    .map((name) => ({ step: name, rules: set.rules.filter(({ on }) => on.includes(name)) }))
    .filter(({ rules }) => rules.length > 0);
  const width = screenWidth(context);
  const view = { root: program.root, width: width === null ? null : width - INDENT.length };
  const sections = [
    ...pipelines.map((pipeline) => formatPipeline(pipeline, view).join("\n")),
    ...(pipelines.length === 0 ? [sayNothing(set, step)] : []),
    ...[...set.broken.map(sayBroken), ...warnings.map((text) => `warning: ${text}`)],
  ];
  const isWell = set.broken.length === 0;
  return {
    success: isWell,
    output: sections.join("\n"),
    errorOutput: null,
    exitCode: isWell ? 0 : CONFIG_EXIT,
    metadata: {
      steps: pipelines.map(({ step: name, rules }) => ({
        step: name,
        rules: rules.map((rule) => ruleFacts(rule, name)),
      })),
      broken: set.broken,
      warnings,
      installed: agents,
    },
  };
}

const COLUMNS = [
  { title: "HOOK" },
  { title: "LAYER" },
  { title: "WHEN", least: 16 },
  { title: "RUNS", least: 16 },
  { title: "ON ERROR" },
  { title: "ALSO" },
  { title: "WHERE", least: 16, cut: "start" },
] as const;

const INDENT = "  ";

interface Pipeline {
  readonly step: StepName;
  readonly rules: readonly HookRule[];
}

interface View {
  readonly root: string;
  readonly width: number | null;
}

function formatPipeline({ step, rules }: Pipeline, { root, width }: View): string[] {
  const rows = rules.map((rule) => [
    rule.name,
    rule.layer,
    describeMatch(rule.match),
    describeRun(rule.run),
    onErrorOf(rule, step),
    describeManners(rule),
    whereOf(rule, root),
  ]);
  return [step, ...formatTable(COLUMNS, rows, width).map((line) => `${INDENT}${line}`)];
}

function sayNothing({ broken }: HookSet, step: StepName | undefined): string {
  if (broken.length > 0) return "no hooks file can be read";
  if (step !== undefined) return `no hook is for \`${step}\``;
  return "no hooks are in force here; `adj hooks init` writes some to begin with";
}

const sayBroken = ({ where, problem }: HookSet["broken"][number]): string =>
  `broken: ${where}: ${problem}; no agent's tool runs until it is repaired`;
