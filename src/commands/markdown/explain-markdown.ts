// `adj explain NAME`: which agent and why, its flags, the inputs, what it would do, how large the prompt is.
import type { Where } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { maskSecrets } from "../../command/secrets.ts";
import { section } from "../../command/usage-text.ts";
import { joinWords } from "../../command/words.ts";
import type { Effect } from "../../markdown/body/body-contents.ts";
import { contextLimit } from "../../markdown/body/budget.ts";
import { AGENT_REASONS } from "../../markdown/decide-agent.ts";
import type { Input } from "../../markdown/inputs.ts";
import type { MarkdownFile } from "../../markdown/markdown-file.ts";
import type { RunPlace } from "../agent/perform-run.ts";
import type { MarkdownCall } from "./markdown-call.ts";
import { type MarkdownPlan, planMarkdown } from "./plan-markdown.ts";
import { budgetOf, readCall } from "./run-markdown.ts";
import { type Rehearsed, rehearse } from "./show-plan.ts";

export async function explainMarkdown(
  file: MarkdownFile,
  args: unknown,
  place: RunPlace,
): Promise<CommandResult> {
  const call = readCall(file, args, place, true);
  const plan = await planMarkdown(call);
  const rehearsed = await rehearse(call, plan);
  const facts = describe(call, plan, rehearsed);
  return ok(write(call, facts), facts);
}

function describe(call: MarkdownCall, plan: MarkdownPlan, rehearsed: Rehearsed) {
  const { command, tokens, pre, post, effects, notes } = rehearsed;
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
    prompt: mask(rehearsed.prompt),
    tokens,
    contextWindow: contextLimit(model, contextWindow),
  };
}

const shownValue = ({ name, type }: Input, { inputs }: MarkdownPlan) =>
  type === "secret" ? "[secret]" : (inputs.values[name] ?? null);

type Facts = ReturnType<typeof describe>;

function write({ file }: MarkdownCall, facts: Facts): string {
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
    section("inputs", facts.inputs.map(inputLine), null),
    section("effects", listLines(facts), null),
    section(
      "notes",
      facts.notes.map((note): [string, string] => [note, ""]),
      null,
    ),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

const inputLine = ({ name, value, description }: Facts["inputs"][number]): [string, string] => [
  `${name} = ${String(value ?? "")}`,
  description ?? "",
];

function listLines({ effect, safety, pre, effects, post }: Facts): [string, string][] {
  return [
    ...pre.map((command): [string, string] => [`runs ${command}`, "before"]),
    ...effects.map(effectLine),
    ...post.map((command): [string, string] => [`runs ${command}`, "after"]),
    [`session: ${effect}; world: ${safety}`, ""],
  ];
}

const VERBS: Readonly<Record<Effect["kind"], string>> = {
  file: "reads",
  glob: "reads",
  url: "fetches",
  command: "runs",
};

const effectLine = ({ kind, subject, where, isConditional }: Effect): [string, string] => [
  `${VERBS[kind]} ${subject}`,
  `${lineOf(where)}${isConditional ? ", if it is reached" : ""}`,
];

const lineOf = ({ line }: Where): string => `line ${line ?? 1}`;
