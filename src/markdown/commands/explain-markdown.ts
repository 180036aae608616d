// `adj explain NAME`: which agent and why, its flags, the inputs, what it would do, how large the prompt is.
import type { Where } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { escapeControls, joinWords } from "../../core/command/words.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { formatSection } from "../../core/terminal/usage-text.ts";
import { contextLimit } from "../body/assemble.ts";
import type { BodyEffect } from "../body/body.ts";
import type { Input } from "../file/inputs.ts";
import type { MarkdownFile } from "../file/markdown-file.ts";
import { AGENT_REASONS } from "../file/named-agent.ts";
import { type MarkdownCall, readMarkdownCall } from "./call.ts";
import { type DryRun, planDryRun } from "./dry-run.ts";
import { budgetOf, type MarkdownPlan, planMarkdown } from "./plan-markdown.ts";

export async function explainMarkdown(
  file: MarkdownFile,
  args: unknown,
  runContext: BundledContext,
): Promise<CommandResult> {
  const call = readMarkdownCall(file, args, runContext, true);
  const plan = await planMarkdown(call);
  const dryRun = await planDryRun(call, plan);
  const facts = describePlan(call, plan, dryRun);
  return ok(formatPlan(call, facts), facts);
}

function describePlan(call: MarkdownCall, plan: MarkdownPlan, dryRun: DryRun) {
  const { command, tokens, pre, post, effects, notes } = dryRun;
  const mask = (text: string) => maskSecrets(text, plan.inputs.secrets);
  const { model, contextWindow } = budgetOf(call, plan);
  const { summary, inputs, file } = call.file;
  return {
    name: summary.name,
    file,
    agent: plan.adapter.name,
    version: plan.located.agentVersion,
    why: AGENT_REASONS[plan.source],
    problem: plan.problem,
    model,
    command: command.executable,
    args: command.args.map(mask),
    env: Object.keys(command.env).sort(),
    cwd: command.cwd,
    timeoutMs: plan.timeout,
    inputs: inputs.map((input) => ({ ...input, value: shownValue(input, plan) })),
    effect: summary.effect,
    safety: summary.safety,
    pre,
    effects,
    post,
    notes,
    prompt: mask(dryRun.prompt),
    tokens,
    contextWindow: contextLimit(model, contextWindow),
  };
}

const shownValue = ({ name, type }: Input, { inputs }: MarkdownPlan) =>
  type === "secret" ? "[secret]" : (inputs.values[name] ?? null);

type PlanFacts = ReturnType<typeof describePlan>;

function formatPlan({ file }: MarkdownCall, facts: PlanFacts): string {
  const version = facts.version === null ? "" : ` ${facts.version}`;
  const window = facts.contextWindow === null ? "" : ` of ${facts.contextWindow}`;
  const parts = [
    [`${facts.name}: ${file.summary.description}`, `defined in: ${facts.file}`],
    [
      `agent: ${facts.agent}${version}, because ${facts.why}`,
      ...(facts.problem === null ? [] : [`but ${facts.problem}`]),
      `model: ${facts.model ?? "the agent's own default"}`,
      `flags: ${joinWords(facts.args)}`,
      `prompt: about ${facts.tokens} tokens${window}`,
    ],
    formatSection("inputs", facts.inputs.map(inputLine), null),
    formatSection("effects", listLines(facts), null),
    formatSection(
      "notes",
      facts.notes.map((note): [string, string] => [note, ""]),
      null,
    ),
  ];
  const shown = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return escapeControls(shown.join("\n\n"));
}

const inputLine = ({ name, value, description }: PlanFacts["inputs"][number]): [string, string] => [
  `${name} = ${String(value ?? "")}`,
  description ?? "",
];

function listLines({ effect, safety, pre, effects, post }: PlanFacts): [string, string][] {
  return [
    ...pre.map((command): [string, string] => [`runs ${command}`, "before"]),
    ...effects.map(effectLine),
    ...post.map((command): [string, string] => [`runs ${command}`, "after"]),
    [`session: ${effect}; world: ${safety}`, ""],
  ];
}

const VERBS: Readonly<Record<BodyEffect["kind"], string>> = {
  file: "reads",
  glob: "reads",
  url: "fetches",
  command: "runs",
};

const effectLine = ({ kind, subject, where, isConditional }: BodyEffect): [string, string] => [
  `${VERBS[kind]} ${subject}`,
  `${lineOf(where)}${isConditional ? ", if it is reached" : ""}`,
];

const lineOf = ({ line }: Where): string => `line ${line ?? 1}`;
