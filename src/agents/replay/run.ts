// Plays a cassette in this process, with the same result as any agent's run.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import { parseDuration } from "../../core/command/time.ts";
import { asRecord, dropUndefined, freezeDeep } from "../../core/project/json-value.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { LogCollector } from "../log/collect-log.ts";
import type { LogEvent } from "../log/event.ts";
import type {
  AgentAdapter,
  AgentCommand,
  AgentExecutionContext,
  AgentExecutionResult,
  AgentRunPlan,
  ConfigContext,
  ExecuteOptions,
} from "../run/adapter.ts";
import { type AgentCapabilities, NO_CAPABILITIES } from "../run/capabilities.ts";
import { type ConfigCheck, checkAgentConfig } from "../run/config.ts";
import { configSchema } from "../run/config-fields.ts";
import { decideEnding, describeExecution, type RunEnding } from "../run/ending.ts";
import { UNKNOWN_LOGIN } from "../run/login.ts";
import { PLAIN_DIALECT } from "../run/output/parser.ts";
import { refuseRun } from "../run/run-agent.ts";
import { kindOfAnyTool } from "../steps/tool-table.ts";
import { type Cassette, type CassetteStep, DEFAULT_CASSETTE, loadCassette } from "./cassette.ts";
import { closeEvents, emitAnswer, openEvent, playStep } from "./play-step.ts";

const REPLAY_PREFIX = "REPLAY";

async function executeReplay(
  { context }: AgentRunPlan,
  options: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const loaded = await loadCassette(String(context.config.own.cassette));
  if (loaded.kind === "refused") {
    const { problem: message } = loaded;
    const refusal = { reason: "INVALID_CONFIG", message, path: "cassette" } as const;
    return refuseRun({ codePrefix: REPLAY_PREFIX }, [refusal]);
  }
  const player = new CassettePlayer(context, options);
  await player.play(loaded.cassette);
  const { status, ending, times, output, collected } = player.conclude();
  const files = await saveOutput(context.logDir, output, options);
  return freezeDeep({
    execution: describeExecution(times, ending, status),
    stdoutPath: files.stdout,
    stderrPath: files.stderr,
    output,
    truncated: false,
    errors: collected.errors,
    collected,
    // No process was started.
    command: null,
  });
}

/** What was said is what a program would have printed. */
async function saveOutput(folder: string, output: string, { isRaw, secrets }: ExecuteOptions) {
  const kept = isRaw === true ? output : maskSecrets(output, secrets);
  const files = { stdout: join(folder, "stdout"), stderr: join(folder, "stderr") };
  await writeFile(files.stdout, kept, { mode: 0o600 });
  await writeFile(files.stderr, "", { mode: 0o600 });
  return files;
}

/** One playing of a cassette: its clock, its limits, and what came of it. */
class CassettePlayer {
  readonly #context: AgentExecutionContext;
  readonly #options: ExecuteOptions;
  readonly #collector: LogCollector;
  readonly #stop: AbortSignal;
  readonly #startedAt = Date.now();
  readonly #clock = performance.now();
  readonly #texts: string[] = [];
  #hasEnded = false;

  constructor(context: AgentExecutionContext, options: ExecuteOptions) {
    this.#context = context;
    this.#options = options;
    this.#collector = new LogCollector({
      codePrefix: REPLAY_PREFIX,
      kindOfTool: kindOfAnyTool,
      now: () => new Date().toISOString(),
    });
    const limits = [
      ...(options.signal === undefined ? [] : [options.signal]),
      ...(context.timeout === 0 ? [] : [AbortSignal.timeout(context.timeout)]),
    ];
    this.#stop = AbortSignal.any(limits);
  }

  async play(cassette: Cassette): Promise<void> {
    this.#emit(openEvent(cassette));
    for (const [at, step] of cassette.steps.entries()) {
      await this.#pause(step);
      if (this.#stop.aborted) return;
      await this.#playStep(step, at + 1);
    }
    if (this.#stop.aborted) return;
    this.#hasEnded = true;
    for (const event of closeEvents(cassette)) this.#emit(event);
  }

  conclude() {
    const durationMs = performance.now() - this.#clock;
    const ending = this.#describeEnding();
    const { status, errors } = decideEnding({
      ending,
      collected: this.#collector.collect(),
      format: "structured",
      stderr: "",
      timeoutMs: this.#context.timeout,
    });
    for (const error of errors) this.#collector.addError({ ...error, at: null, context: null });
    const startedAt = new Date(this.#startedAt).toISOString();
    const completedAt = new Date(this.#startedAt + durationMs).toISOString();
    return {
      status,
      ending,
      times: { startedAt, completedAt, durationMs },
      output: this.#texts.map((text) => `${text}\n`).join(""),
      collected: this.#collector.collect(),
    };
  }

  #emit(event: LogEvent): void {
    if (event.kind === "message") this.#texts.push(event.content);
    this.#collector.add(event);
    this.#options.onEvent?.(event);
  }

  #playStep(step: CassetteStep, number: number): Promise<void> {
    const { workspaceDir: workspace, env, runId, wrap } = this.#context;
    const emit = (event: LogEvent) => this.#emit(event);
    return playStep(step, number, {
      workspace,
      env,
      runId: `${runId}-${number}`,
      signal: this.#stop,
      emit,
      say: (text) => emitAnswer(text, emit),
      wrap,
    });
  }

  /** In real time only; a playing that is stopped while it pauses ends at once. */
  async #pause({ after }: CassetteStep): Promise<void> {
    if (this.#context.config.own.pace !== "real" || after === undefined) return;
    await waitUnlessAborted(parseDuration(after) ?? 0, this.#stop);
  }

  #describeEnding(): RunEnding {
    const isSuccess = this.#collector.collect().final?.isSuccess === true;
    if (this.#hasEnded) return { kind: "exited", exitCode: isSuccess ? 0 : 1, signal: null };
    const kind = this.#options.signal?.aborted === true ? "cancelled" : "timed_out";
    return { kind, exitCode: null, signal: null };
  }
}

// The agent that plays a recorded run: its adapter and its configuration.

const CAPABILITIES: AgentCapabilities = { ...NO_CAPABILITIES, statesCost: true, prompt: "none" };

export const replayAdapter: AgentAdapter = {
  name: "replay",
  version: "1.0.0",
  codePrefix: REPLAY_PREFIX,
  program: null,
  versionArgs: [],
  installHint: "it is built in",
  provider: null,
  login: UNKNOWN_LOGIN,
  variablePrefixes: [],
  capabilities: () => CAPABILITIES,
  checkConfig: checkReplayConfig,
  buildCommand: describeCommand,
  kindOfTool: kindOfAnyTool,
  createDialect: () => PLAIN_DIALECT,
  execute: executeReplay,
};

const OWN_FIELDS = {
  cassette: z._default(
    z.string().check(z.minLength(1, "must be a file or the name of a bundled cassette")),
    DEFAULT_CASSETTE,
  ),
  pace: z._default(z.enum(["fast", "real"], "must be `fast` or `real`"), "fast"),
};

/** Any prompt will do, and any model: a cassette says what it says. */
function checkReplayConfig(raw: unknown, context: ConfigContext): ConfigCheck {
  const { cassette, pace, prompt, model: _model, ...rest } = asRecord(raw);
  const hasPrompt = prompt !== undefined || rest.prompt_file !== undefined;
  const common = { ...rest, ...(hasPrompt ? { prompt } : { prompt: "play" }) };
  const rules = { agent: "replay", schema: configSchema(), capabilities: CAPABILITIES };
  const check = checkAgentConfig(rules, dropUndefined(common), context);
  const own = z.strictObject(OWN_FIELDS).safeParse(dropUndefined({ cassette, pace }));
  const problems = [
    ...(own.success
      ? []
      : own.error.issues.map(({ path, message }) => ({ path: path.join("."), message }))),
    ...(check.kind === "invalid" ? check.problems : []),
  ];
  if (check.kind === "invalid" || !own.success) return { kind: "invalid", problems };
  const text = hasPrompt ? check.config.prompt : "";
  return freezeDeep({ kind: "valid", config: { ...check.config, prompt: text, own: own.data } });
}

/** Describes a run for `--dry-run` and the like: no process of this name is ever started. */
function describeCommand(context: AgentExecutionContext): AgentCommand {
  return {
    executable: "replay",
    args: [String(context.config.own.cassette)],
    env: context.env,
    cwd: context.workspaceDir,
    timeout: context.timeout,
    files: [],
    reportPath: null,
    outputFormat: "text",
  };
}
