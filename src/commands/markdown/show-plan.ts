// `--dry-run`: the exact words, the names of the environment, the folder and the prompt; nothing is run.
import { join } from "node:path";
import type { AgentCommand } from "../../agents/adapter.ts";
import { checkRun } from "../../agents/prepare-run.ts";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { maskSecrets } from "../../command/secrets.ts";
import { joinWords } from "../../command/words.ts";
import { type Effect, listEffects } from "../../markdown/body/body-contents.ts";
import { AGENT_REASONS } from "../../markdown/decide-agent.ts";
import { listSteps } from "../../markdown/front-matter-fields.ts";
import { isGivenVariable } from "../../markdown/inputs.ts";
import type { MarkdownFile } from "../../markdown/markdown-file.ts";
import { assemblePrompt } from "./assemble-prompt.ts";
import { buildRequest } from "./build-request.ts";
import type { MarkdownCall } from "./markdown-call.ts";
import type { MarkdownPlan } from "./plan-markdown.ts";

export interface Rehearsed {
  readonly command: AgentCommand;
  readonly prompt: string;
  readonly tokens: number;
  readonly effects: readonly Effect[];
  readonly pre: readonly string[];
  readonly post: readonly string[];
  /** What its author may not have meant. */
  readonly notes: readonly string[];
}

/** As far as it can be known without running anything; what a run adds is its own folder. */
export async function rehearse(call: MarkdownCall, plan: MarkdownPlan): Promise<Rehearsed> {
  const { fields, body } = call.file;
  const pre = listSteps(fields.pre, fields.before);
  const printed = pre.map((command) => `!\`${command}\``).join("\n");
  const assembled = await assemblePrompt(call, plan, { pre: printed, isRehearsed: true });
  const request = buildRequest(call, plan, assembled.prompt);
  const logDir = join(call.program.stateDir, "runs", "RUN");
  const checked = await checkRun(plan.adapter, { ...request, runId: "RUN", logDir });
  if (checked.kind === "refused") {
    const problem = checked.errors[0]?.message ?? "it cannot be run";
    throw fault("ArgumentsInvalid", { command: call.file.name, problem });
  }
  const post = listSteps(fields.post, fields.after);
  const command = plan.adapter.buildCommand(checked.context);
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

export async function showPlan(call: MarkdownCall, plan: MarkdownPlan): Promise<CommandResult> {
  const rehearsed = await rehearse(call, plan);
  const { command, tokens, effects, pre, post, notes } = rehearsed;
  const mask = (text: string) => maskSecrets(text, plan.inputs.secrets);
  const args = command.args.map(mask);
  const prompt = mask(rehearsed.prompt);
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
