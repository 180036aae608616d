// `--dry-run`: the exact words, the names of the environment, the folder and the prompt; nothing is run.
import { join } from "node:path";
import type { AgentCommand } from "../../agents/run/adapter.ts";
import { checkRun } from "../../agents/run/prepare-run.ts";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { joinWords } from "../../core/command/words.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { type BodyEffect, listEffects } from "../body/body.ts";
import { isGivenVariable } from "../file/inputs.ts";
import { listSteps } from "../file/keys.ts";
import type { MarkdownFile } from "../file/markdown-file.ts";
import { AGENT_REASONS } from "../file/named-agent.ts";
import type { MarkdownCall } from "./call.ts";
import type { MarkdownPlan } from "./plan-markdown.ts";
import { assemblePrompt, buildRequest } from "./request.ts";

export interface DryRun {
  readonly command: AgentCommand;
  readonly prompt: string;
  readonly tokens: number;
  readonly effects: readonly BodyEffect[];
  readonly pre: readonly string[];
  readonly post: readonly string[];
  /** What its author may not have meant. */
  readonly notes: readonly string[];
}

/** As far as it can be known without running anything; what a run adds is its own folder. */
export async function planDryRun(call: MarkdownCall, plan: MarkdownPlan): Promise<DryRun> {
  const { fields, body } = call.file;
  const pre = listSteps(fields.pre, fields.before);
  const printed = pre.map((command) => `!\`${command}\``).join("\n");
  const assembled = await assemblePrompt(call, plan, { pre: printed, isDryRun: true });
  const request = buildRequest(call, plan, assembled.prompt);
  const logDir = join(call.program.stateDir, "runs", "RUN");
  const checked = await checkRun(plan.adapter, { ...request, runId: "RUN", logDir });
  if (checked.kind === "refused") {
    const problem = checked.errors[0]?.message ?? "it cannot be run";
    throw fault("ArgumentsInvalid", { command: call.file.name, problem });
  }
  const post = listSteps(fields.post, fields.after);
  const { command } = checked.plan;
  const { prompt, tokens } = assembled;
  const notes = listQuoted(call.file);
  return { command, prompt, tokens, effects: listEffects(body), pre, post, notes };
}

/** In code everything is text, which is easily forgotten for a path between backticks. */
function listQuoted({ body, inputs }: MarkdownFile): string[] {
  const names = new Set(inputs.map(({ name }) => name));
  return body.quoted
    .filter(({ name }) => names.has(name) || isGivenVariable(name))
    .map(
      ({ name, where }) =>
        `line ${where.line}: \`{{ ${name} }}\` stays text, for it stands in code`,
    );
}

export async function showDryRun(call: MarkdownCall, plan: MarkdownPlan): Promise<CommandResult> {
  const dryRun = await planDryRun(call, plan);
  const { command, tokens, effects, pre, post, notes } = dryRun;
  const mask = (text: string) => maskSecrets(text, plan.inputs.secrets);
  const args = command.args.map(mask);
  const prompt = mask(dryRun.prompt);
  const env = Object.keys(command.env).sort();
  const { name } = plan.adapter;
  const version = plan.located.agentVersion;
  const inline = effects.filter(({ kind }) => kind === "command").map(({ subject }) => subject);
  const lines = [
    `agent: ${[name, version].filter(Boolean).join(" ")} (${AGENT_REASONS[plan.source]})`,
    `argv: ${joinWords([command.executable, ...args])}`,
    `cwd: ${command.cwd}`,
    `env: ${env.join(" ")}`,
    ...[...pre].map((one) => `pre, not run: ${one}`),
    ...inline.map((one) => `inline, not run: ${one}`),
    ...[...post].map((one) => `post, not run: ${one}`),
    ...notes.map((note) => `note: ${note}`),
    `prompt: about ${tokens} tokens, ${describeWay(plan, command)}`,
    "",
    prompt,
  ];
  const metadata = {
    agent: name,
    model: plan.translated.settings.model ?? null,
    command: command.executable,
    args,
    env,
    cwd: command.cwd,
    prompt,
    tokens,
    pre,
    inline,
    post,
    notes,
  };
  return ok(lines.join("\n"), metadata);
}

function describeWay({ adapter }: MarkdownPlan, { stdin }: AgentCommand): string {
  if (stdin !== undefined) return "by stdin";
  return adapter.capabilities(null).prompt === "none" ? "not sent to anybody" : "by argument";
}
