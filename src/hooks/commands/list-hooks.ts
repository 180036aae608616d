// `adj hooks list`: the pipeline of each step as it runs here, and what stands in its way.

import { relative } from "node:path";
import { installContextOf } from "../../agents/commands/install-target.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { formatFault, formatWhere } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { escapeControls, joinWords } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { findDataDir } from "../../core/project/paths.ts";
import { STEP_RULES, STEPS, type StepName } from "../../core/step/step.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { formatSection } from "../../core/terminal/usage-text.ts";
import { builtinNames, findBuiltin } from "../builtins/builtins.ts";
import { optionNames } from "../builtins/options.ts";
import { findCallingAgents, listUncalled } from "../install/coverage.ts";
import type { HookRule, HookSet, RuleMatch, RuleRun } from "../match/rule.ts";
import { loadHookSet } from "../pipeline/set.ts";
import type { HooksArguments } from "./hooks-arguments.ts";
import { hookProgramContext, listMissingPrograms } from "./missing-program.ts";

const CONFIG_EXIT = 2;

export async function listHooks(
  { step }: HooksArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { env, home } = installContextOf(context, program);
  const dataDir = findDataDir(env, home);
  const set = await loadHookSet({ paths: program, root: program.root, dataDir });
  const agents = await findCallingAgents(installContextOf(context, program));
  const missing = await listMissingPrograms(set.rules, hookProgramContext(context, program));
  const warnings = [...set.warnings, ...missing, ...listUncalled(set.rules, agents)];
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
    output: escapeControls(sections.join("\n")),
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

const RULE_COLUMNS = [
  { title: "HOOK" },
  { title: "LAYER" },
  { title: "WHEN", least: 10 },
  { title: "RUNS", least: 12 },
  { title: "ON ERROR" },
  { title: "ALSO" },
  { title: "WHERE", least: 10, cut: "start" },
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
  const room = width === null ? null : width - INDENT.length;
  return [step, ...formatTable(RULE_COLUMNS, rows, room).map((line) => `${INDENT}${line}`)];
}

function sayNothing({ broken }: HookSet, step: StepName | undefined): string {
  if (broken.length > 0) return "no hooks file can be read";
  if (step !== undefined) return `no hook is for \`${step}\``;
  return "no hooks are in force here; `adj hooks init` writes some to begin with";
}

const sayBroken = ({ where, problem }: HookSet["broken"][number]): string =>
  formatFault({
    message: `broken: ${where}: ${problem}`,
    hint: "no agent's tool runs until it is repaired",
  });

// A rule in words and as data. What a rule hands to its handler (`env`, headers) may be secret and is only named.

/** The file as seen from the project, where it is inside. */
export function whereOf({ file, line }: Pick<HookRule, "file" | "line">, root: string): string {
  const inside = relative(root, file);
  return formatWhere({ file: inside.startsWith("..") ? file : inside, line });
}

function describeMatch(match: RuleMatch): string {
  const fields = Object.entries(match).map(
    ([field, wanted]: [string, readonly string[]]) => `${field} ${wanted.join(" or ")}`,
  );
  return fields.length === 0 ? "always" : fields.join(", ");
}

export function describeRun(run: RuleRun): string {
  switch (run.type) {
    case "argv":
      return joinWords(run.argv);
    case "shell":
      return `${typeof run.shell === "string" ? run.shell : run.shell.program}: ${run.command.trim()}`;
    case "http":
      return run.url;
    case "builtin":
      return `builtin ${run.builtin}`;
  }
}

const onErrorOf = ({ onError, isAsync }: HookRule, step: StepName): string =>
  isAsync ? "skip" : (onError ?? STEP_RULES[step].onError);

const describeManners = (rule: HookRule): string =>
  [
    ...(rule.isEnabled ? [] : ["off"]),
    ...(rule.isAsync ? ["async"] : []),
    ...(rule.isOnce ? ["once"] : []),
    ...(rule.isStrict ? ["strict"] : []),
    ...(rule.protocol === "adjutant" ? [] : [`protocol ${rule.protocol}`]),
  ].join(", ");

function ruleFacts(rule: HookRule, step: StepName) {
  const { name, layer, file, line, column, match, timeoutMs, env } = rule;
  return {
    ...{ name, layer, file, line, column, match, timeoutMs },
    run: runFacts(rule.run),
    on_error: onErrorOf(rule, step),
    enabled: rule.isEnabled,
    async: rule.isAsync,
    once: rule.isOnce,
    strict: rule.isStrict,
    protocol: rule.protocol,
    env: Object.keys(env),
  };
}

function runFacts(run: RuleRun) {
  if (run.type === "http") return { ...run, headers: Object.keys(run.headers) };
  return run.type === "builtin" ? { ...run, options: undefined } : run;
}

export function listBuiltins(context: CommandContext): CommandResult {
  const builtins = builtinNames().flatMap((name) => {
    const found = findBuiltin(name);
    if (found === null) return [];
    return [{ name, description: found.description, with: optionNames(name), steps: found.steps }];
  });
  const entries = builtins.flatMap(({ name, description, with: options, steps }) => [
    [name, description] as const,
    ...(options.length === 0 ? [] : [["", `with ${options.join(", ")}`] as const]),
    ["", `at ${steps.length === STEPS.length ? "every step" : steps.join(", ")}`] as const,
  ]);
  const title = "for `run: { builtin: NAME, with: { … } }`";
  return ok(formatSection(title, entries, screenWidth(context)).join("\n"), { builtins });
}
