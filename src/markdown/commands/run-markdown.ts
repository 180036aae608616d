// A Markdown command from its arguments to its answer: plan, `pre`, prompt, agent, `post`.
import { guardProject } from "../../agents/commands/project-guard.ts";
import {
  type CommandRun,
  concludeAgentRun,
  decideRunExit,
  runForCommand,
  writeLastEvent,
} from "../../agents/run/command-run.ts";
import { fault } from "../../core/command/fault.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import {
  hasSucceeded,
  type ProcessEnding,
  shellExitCode,
} from "../../core/process/command-spec.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { runProcess } from "../../core/process/run.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { checkBudget } from "../body/assemble.ts";
import { listShellVariables } from "../body/inline-commands.ts";
import { listSteps } from "../file/keys.ts";
import type { MarkdownFile } from "../file/markdown-file.ts";
import { type MarkdownCall, readMarkdownCall } from "./call.ts";
import { budgetOf, type MarkdownPlan, planMarkdown } from "./plan-markdown.ts";
import { assemblePrompt, buildRequest, lineOf, listValues, stepEnvironment } from "./request.ts";

export async function runMarkdown(
  file: MarkdownFile,
  args: unknown,
  runContext: BundledContext,
): Promise<CommandResult> {
  const call = readMarkdownCall(file, args, runContext);
  const plan = await planMarkdown(call);
  if (call.common.dryRun) return (await import("./dry-run.ts")).showDryRun(call, plan);
  const pre = await runPre(call, plan);
  const { prompt, tokens } = await assemblePrompt(call, plan, { pre, isDryRun: false });
  checkBudget({ tokens, ...budgetOf(call, plan) });
  if (prompt.trim() === "")
    throw fault(
      "FileInvalid",
      { problem: "the prompt is empty" },
      { where: { file: call.file.file }, hint: "write it below the front matter" },
    );
  const built = buildRequest(call, plan, prompt);
  const { workspaceDir, env } = built;
  const { allowHooksOff, projectSettings } = call.common;
  const guardFlags = { allowHooksOff, projectSettings };
  const guarded = { agent: plan.adapter.name, workspaceDir, env, ...guardFlags };
  const request = { ...built, ...(await guardProject(guarded, runContext)) };
  const { secrets } = plan.inputs;
  const { events: asEvents, raw: isRaw } = call.common;
  const run = { adapter: plan.adapter, request, retries: 0, asEvents, secrets, isRaw };
  const performed = await runForCommand(run, runContext);
  const failure = await runPost(call, plan, performed);
  if (asEvents) await writeLastEvent(performed.log, runContext.context);
  const facts = describeRun(plan, performed);
  return conclude(call, performed, { failure, facts });
}

/** The very words that ran. */
function describeRun(
  { inputs }: MarkdownPlan,
  { log, command }: CommandRun,
): Record<string, unknown> {
  const args = (command?.args ?? []).map((word) => maskSecrets(word, inputs.secrets));
  return { command: command?.executable ?? null, args, usage: log.usage, cost: log.cost };
}

interface Conclusion {
  readonly failure: StepFailure | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

async function conclude(
  call: MarkdownCall,
  { log, logPath }: CommandRun,
  { failure, facts }: Conclusion,
): Promise<CommandResult> {
  const isOptional = call.file.fields.post_optional === true;
  const isFailed = log.execution.status !== "success";
  if (failure !== null && (isOptional || isFailed)) {
    const { message } = stepFault(call, "post", failure);
    await call.context.write(`${message}\n`, "stderr");
  }
  const result = concludeAgentRun(log, logPath, facts);
  if (failure === null || isOptional) return result;
  throw stepFault(call, "post", failure, result);
}

// `pre` and `post`: command lines around the agent, by bash where there is one, else by sh.

interface StepFailure {
  readonly command: string;
  /** Continues "`command` …". */
  readonly problem: string;
  readonly exitCode: number;
}

/** What the steps before the agent print. */
async function runPre(call: MarkdownCall, plan: MarkdownPlan): Promise<string> {
  const { pre, before } = call.file.fields;
  const commands = listSteps(pre, before);
  if (commands.length === 0) return "";
  const { stdout, failure } = await runSteps(commands, call, plan);
  call.context.signal.throwIfAborted();
  if (failure === null) return stdout;
  throw stepFault(call, "pre", failure);
}

/** Runs what the file wants done after a run, however that ended, unless somebody stopped it. */
async function runPost(
  call: MarkdownCall,
  plan: MarkdownPlan,
  { log, logPath }: CommandRun,
): Promise<StepFailure | null> {
  const { post, after } = call.file.fields;
  const commands = listSteps(post, after);
  if (commands.length === 0 || call.context.signal.aborted) return null;
  const exitCode = log.execution.status === "success" ? 0 : decideRunExit(log.execution);
  const set = { ADJ_EXIT_CODE: String(exitCode), ADJ_LOG_PATH: logPath };
  const { stdout, failure } = await runSteps(commands, call, plan, set);
  // Stdout is the answer and nothing else.
  if (stdout !== "") await call.context.write(`${stdout}\n`, "stderr");
  return failure;
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

interface StepsEnding {
  readonly stdout: string;
  readonly failure: StepFailure | null;
}

/** One after the other, until one fails. */
async function runSteps(
  commands: readonly string[],
  call: MarkdownCall,
  plan: MarkdownPlan,
  set: Readonly<Record<string, string>> = {},
): Promise<StepsEnding> {
  const { context } = call;
  const { workingDirectory: cwd, signal } = context;
  const { env: variables } = listShellVariables(commands.join("\n"), listValues(call, plan));
  const env = { ...stepEnvironment(call), ...variables, ...set };
  const bash = await findProgram("bash", { path: env.PATH, cwd });
  const executable = bash.kind === "found" ? bash.path : "sh";
  let stdout = "";
  for (const command of commands) {
    const spec = { executable, args: ["-c", lineOf(call)(command)], env, cwd };
    const ending = await runProcess(spec, {
      signal,
      timeoutMs: plan.timeout,
      onChunk: (channel, bytes) =>
        channel === "stderr" ? context.write(bytes, channel) : undefined,
    });
    stdout += Buffer.from(ending.stdout).toString();
    if (!hasSucceeded(ending))
      return {
        stdout,
        failure: { command, problem: describeStep(ending), exitCode: codeOf(ending) },
      };
  }
  return { stdout: stdout.trimEnd(), failure: null };
}

const STDERR_SHOWN = 2_000;

function describeStep(ending: ProcessEnding): string {
  const stderr = Buffer.from(ending.stderr).toString().trim().slice(-STDERR_SHOWN);
  return stderr === "" ? howItEnded(ending) : `${howItEnded(ending)}: ${stderr}`;
}

function howItEnded(ending: ProcessEnding): string {
  if (ending.kind === "exited") return `exited with ${ending.exitCode}`;
  if (ending.kind === "timed_out") return "did not end in time";
  if (ending.kind === "not_started") return `could not be started: ${ending.problem}`;
  return ending.kind === "cancelled" ? "was cancelled" : `was ended by ${ending.signal}`;
}

const codeOf = (ending: ProcessEnding): number =>
  ending.kind === "timed_out" ? 124 : shellExitCode(ending) || 1;
