// A Markdown command from its arguments to its answer: plan, `pre`, prompt, agent, `post`.
import { checkRun } from "../../agents/prepare-run.ts";
import { fault } from "../../command/fault.ts";
import type { CommandResult } from "../../command/result.ts";
import { maskSecrets } from "../../command/secrets.ts";
import { checkBudget } from "../../markdown/body/budget.ts";
import { listShellVariables } from "../../markdown/body/commands/shell-variables.ts";
import { listSteps } from "../../markdown/front-matter-fields.ts";
import { readCommonArguments } from "../../markdown/markdown-arguments.ts";
import type { MarkdownFile } from "../../markdown/markdown-file.ts";
import { concludeRun, decideRunExit } from "../agent/conclude-run.ts";
import {
  type PerformedRun,
  performRun,
  type RunPlace,
  writeLastEvent,
} from "../agent/perform-run.ts";
import { assemblePrompt, listValues, stepEnvironment } from "./assemble-prompt.ts";
import { buildRequest, type MarkdownRequest } from "./build-request.ts";
import type { MarkdownCall } from "./markdown-call.ts";
import { type MarkdownPlan, planMarkdown } from "./plan-markdown.ts";
import { runSteps, type StepFailure } from "./run-steps.ts";

export async function runMarkdown(
  file: MarkdownFile,
  args: unknown,
  place: RunPlace,
): Promise<CommandResult> {
  const call = readCall(file, args, place);
  const plan = await planMarkdown(call);
  if (call.common.dryRun) return (await import("./show-plan.ts")).showPlan(call, plan);
  const pre = await runPre(call, plan);
  const { prompt, tokens } = await assemblePrompt(call, plan, { pre, isRehearsed: false });
  checkBudget({ tokens, ...budgetOf(call, plan) });
  const request = buildRequest(call, plan, prompt);
  const { secrets } = plan.inputs;
  const asEvents = call.common.events;
  const wish = { adapter: plan.adapter, request, retries: 0, asEvents, secrets };
  const performed = await performRun(wish, place);
  const failure = await runPost(call, plan, performed);
  if (asEvents) await writeLastEvent(performed.log, place.context);
  const facts = await describeRun(plan, request, performed);
  return conclude(call, performed, { failure, facts });
}

export function readCall(
  file: MarkdownFile,
  args: unknown,
  { context, program }: RunPlace,
  isExplained = false,
): MarkdownCall {
  const common = readCommonArguments(args);
  const given = typeof args === "object" && args !== null ? { ...args } : {};
  return { file, given, common, context, program, isExplained };
}

export const budgetOf = (
  { file }: MarkdownCall,
  { translated }: MarkdownPlan,
): { model: string | null; contextWindow: number | null } => ({
  model: typeof translated.settings.model === "string" ? translated.settings.model : null,
  contextWindow: file.fields.context_window ?? null,
});

function stepPlace(call: MarkdownCall, plan: MarkdownPlan, set: Readonly<Record<string, string>>) {
  const { context } = call;
  return (command: readonly string[]) => ({
    cwd: context.workingDirectory,
    env: {
      ...stepEnvironment(call),
      ...listShellVariables(command.join("\n"), listValues(call, plan)).env,
      ...set,
    },
    signal: context.signal,
    timeoutMs: plan.timeout,
    onChunk: (bytes: Uint8Array) => context.write(bytes, "stderr"),
  });
}

async function runPre(call: MarkdownCall, plan: MarkdownPlan): Promise<string> {
  const { pre, before } = call.file.fields;
  const commands = listSteps(pre, before);
  if (commands.length === 0) return "";
  const { stdout, failure } = await runSteps(commands, stepPlace(call, plan, {})(commands));
  call.context.signal.throwIfAborted();
  if (failure === null) return stdout;
  throw stepFault(call, "pre", failure);
}

const stepFault = (
  { file }: MarkdownCall,
  step: "pre" | "post",
  { command, problem, exitCode }: StepFailure,
  partial?: Pick<CommandResult, "output" | "metadata">,
) =>
  fault(
    "StepFailed",
    { command: file.name, step, problem: `\`${command}\` ${problem}` },
    { exitCode, ...(partial === undefined ? {} : { partial }) },
  );

/** After a run however it ended, unless somebody stopped it. */
async function runPost(
  call: MarkdownCall,
  plan: MarkdownPlan,
  { log, logPath }: PerformedRun,
): Promise<StepFailure | null> {
  const { post, after } = call.file.fields;
  const commands = listSteps(post, after);
  if (commands.length === 0 || call.context.signal.aborted) return null;
  const exitCode = log.execution.status === "success" ? 0 : decideRunExit(log.execution);
  const set = { ADJ_EXIT_CODE: String(exitCode), ADJ_LOG_PATH: logPath };
  const { stdout, failure } = await runSteps(commands, stepPlace(call, plan, set)(commands));
  // Stdout is the answer and nothing else.
  if (stdout !== "") await call.context.write(`${stdout}\n`, "stderr");
  return failure;
}

/** The very words that ran, built once more from the same request: building is pure. */
async function describeRun(
  { adapter, inputs }: MarkdownPlan,
  request: MarkdownRequest,
  { log, logDir }: PerformedRun,
): Promise<Record<string, unknown>> {
  const checked = await checkRun(adapter, { ...request, runId: log.run_id, logDir });
  const built = checked.kind === "ready" ? adapter.buildCommand(checked.context) : null;
  const args = (built?.args ?? []).map((word) => maskSecrets(word, inputs.secrets));
  return { command: built?.executable ?? null, args, usage: log.usage, cost: log.cost };
}

interface Conclusion {
  readonly failure: StepFailure | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

async function conclude(
  call: MarkdownCall,
  { log, logPath }: PerformedRun,
  { failure, facts }: Conclusion,
): Promise<CommandResult> {
  const isOptional = call.file.fields.post_optional === true;
  const isFailed = log.execution.status !== "success";
  if (failure !== null && (isOptional || isFailed)) {
    const { message } = stepFault(call, "post", failure);
    await call.context.write(`${message}\n`, "stderr");
  }
  const result = concludeRun(log, logPath, facts);
  if (failure === null || isOptional) return result;
  throw stepFault(call, "post", failure, result);
}
