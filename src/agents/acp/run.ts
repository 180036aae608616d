import type { ProcessEnding } from "../../core/process/command-spec.ts";
import { openStopRequest } from "../../core/process/stop.ts";
import { asRecord, freezeDeep } from "../../core/project/json-value.ts";
import { asList, asName } from "../log/json-fields.ts";
import { FileService, offerFiles } from "../protocol/acp/client-requests.ts";
import { callInitialize, numberCall } from "../protocol/acp/messages.ts";
import { MessageQueue } from "../protocol/message-queue.ts";
import type {
  AgentAdapter,
  AgentExecutionContext,
  AgentExecutionResult,
  AgentRunPlan,
  ConfigContext,
  ExecuteOptions,
} from "../run/adapter.ts";
import {
  type AgentCapabilities,
  NO_CAPABILITIES,
  type PermissionModeFlags,
} from "../run/capabilities.ts";
import { buildProgramCommand, checkProgramConfig } from "../run/command-line.ts";
import type { ConfigCheck, ConfigProblem } from "../run/config.ts";
import { describeRunEnding, type RunEnding } from "../run/ending.ts";
import { concludeProcess, readRawOptions, runAgentProcess } from "../run/execute.ts";
import { UNKNOWN_LOGIN } from "../run/login.ts";
import { RunReader } from "../run/output/read.ts";
import { kindOfAnyTool } from "../steps/tool-table.ts";
import { AcpDialect, REQUEST } from "./dialect.ts";

/** So long an agent may take to leave once its stdin is closed; some never do. */
const LEAVE_MS = 2_000;
/** So long it may take to stop when it is asked to; then the process is ended. */
const STOP_MS = 500;

const ACP_PREFIX = "ACP";

async function executeAcp(
  { context, command }: AgentRunPlan,
  options: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const { signal, onEvent } = options;
  const { outbox, shutdown, dialect, hold } = prepareDialect(context);
  const reader = new RunReader(
    {
      codePrefix: ACP_PREFIX,
      kindOfTool: kindOfAnyTool,
      createDialect: () => dialect,
    },
    { format: "structured", onEvent },
  );
  const { timeout: timeoutMs } = context;
  const stop = openStopRequest({ timeoutMs, ...(signal === undefined ? {} : { signal }) });
  void stop.requested.then((cause) => {
    const isAsked = shutdown.cause === null && dialect.cancel();
    shutdown.begin(cause === "timed_out" ? cause : "cancelled", isAsked ? STOP_MS : 0);
  });
  if (signal?.aborted) shutdown.begin("cancelled", 0);
  const run = {
    context,
    command,
    reader,
    stdin: outbox.lines(),
    raw: readRawOptions(options),
    hold,
  };
  // The clock is ours, because the agent is asked before it is ended.
  const untimed = { ...run, command: { ...command, timeout: 0 }, signal: shutdown.signal };
  const ended = await runAgentProcess(untimed).finally(() => {
    stop.close();
    shutdown.close();
    outbox.close();
  });
  // Nothing is written for the agent once its run is over.
  await hold();
  const ending = decideShutdownEnding(shutdown.cause, ended);
  const isOver = ending.kind === "timed_out" || (ending.kind === "exited" && !shutdown.cause);
  if (isOver && !dialect.isIntroduced)
    reader.noteError("PARSE_ERROR", "`initialize` was not answered: the program may not speak ACP");
  return concludeProcess({ ...run, signal }, { ended, ending, report: null });
}

function prepareDialect(context: AgentExecutionContext) {
  const options = dialectOptions(context);
  const outbox = new MessageQueue();
  const shutdown = new AgentShutdown();
  const files = new FileService(options, outbox);
  const onEnd = () => {
    outbox.close();
    shutdown.begin("done", LEAVE_MS);
  };
  const send = outbox.push.bind(outbox);
  const serveFile = files.serve.bind(files);
  const dialect = new AcpDialect({ ...options, send, serveFile, onEnd });
  shutdown.signal.addEventListener("abort", () => outbox.close());
  const offered = offerFiles(context.config.own.offer_files === true, options.policy);
  outbox.push(numberCall(REQUEST.initialize, callInitialize(offered)));
  return { outbox, shutdown, dialect, hold: () => files.whenServed() };
}

function dialectOptions({ config, workspaceDir }: AgentExecutionContext) {
  const { permission_mode: mode, allowed_tools: allowed, resume, model } = config.settings;
  return {
    cwd: workspaceDir,
    prompt: config.prompt,
    resume: asName(resume),
    model: asName(model),
    policy: { mode: asName(mode) ?? "ask", allowed: asList(allowed).map(String) },
  };
}

/** Why an agent has to go: it is done, or somebody or the clock wants it to. */
type ShutdownCause = "done" | "cancelled" | "timed_out";

/** An agent on its way out: it may leave by itself for a while, then it is ended. */
class AgentShutdown {
  readonly #end = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #cause: ShutdownCause | null = null;

  /** The first cause counts, and the shortest time. */
  begin(cause: ShutdownCause, patienceMs: number): void {
    this.#cause ??= cause;
    if (patienceMs === 0) this.#end.abort();
    else this.#timers.push(setTimeout(() => this.#end.abort(), patienceMs));
  }

  /** Fires when it is to be ended. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get cause(): ShutdownCause | null {
    return this.#cause;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** How a run ended whose process we may have ended ourselves. */
function decideShutdownEnding(cause: ShutdownCause | null, ended: ProcessEnding): RunEnding {
  const seen = describeRunEnding(ended);
  if (cause === null || seen.kind === "not_started") return seen;
  if (cause !== "done") return { ...seen, kind: cause };
  // Which signal it took says nothing about the run: some agents never leave by themselves.
  return ended.kind === "cancelled" ? DISMISSED : seen;
}

const DISMISSED: RunEnding = { kind: "dismissed", exitCode: null, signal: null };

// Any agent that speaks the Agent Client Protocol, by its command line: its adapter and its configuration.

/** The client answers for the person, so a mode is a way of answering and no flag. */
const ANSWERED: PermissionModeFlags = { uses: [] };

const CAPABILITIES: AgentCapabilities = {
  ...NO_CAPABILITIES,
  settings: {
    // The model is chosen in the session, where the agent lists its models.
    model: { to: "own" },
    permission_mode: {
      to: "modes",
      modes: { plan: ANSWERED, ask: ANSWERED, allowlist: ANSWERED, auto: ANSWERED },
    },
    allowed_tools: { to: "own" },
    resume: { to: "own" },
  },
  outputFormats: ["acp"],
  canResume: true,
  acp: [],
};

export const acpAdapter: AgentAdapter = {
  name: "acp",
  version: "1.0.0",
  codePrefix: ACP_PREFIX,
  program: null,
  versionArgs: [],
  installHint: "name a program that speaks ACP in `argv`, such as [gemini, --acp]",
  provider: null,
  login: UNKNOWN_LOGIN,
  // Which agent it will be is not known here: the keys of those that speak the protocol.
  variablePrefixes: [
    ...["ANTHROPIC_", "CLAUDE_", "OPENAI_", "CODEX_", "AZURE_OPENAI_", "GEMINI_", "GOOGLE_"],
    ...["OPENCODE_", "OPENROUTER_", "COPILOT_", "GH_", "GITHUB_", "QWEN_", "DASHSCOPE_"],
  ],
  capabilities: () => CAPABILITIES,
  checkConfig: checkAcpConfig,
  buildCommand: (context) => buildProgramCommand(context, "structured"),
  kindOfTool: kindOfAnyTool,
  // A dialect reads a saved conversation: nobody is there to be answered.
  createDialect: () =>
    new AcpDialect({
      cwd: "/",
      prompt: "",
      resume: null,
      model: null,
      policy: null,
      send: () => undefined,
      serveFile: () => undefined,
      onEnd: () => undefined,
    }),
  execute: executeAcp,
};

/** `argv` names the program; `offer_files` lets it read and write the workspace through the client. */
function checkAcpConfig(raw: unknown, context: ConfigContext): ConfigCheck {
  const { offer_files: offersFiles = false, ...rest } = asRecord(raw);
  const check = checkProgramConfig("acp", CAPABILITIES, rest, context);
  const problems: readonly ConfigProblem[] = [
    ...(check.kind === "invalid" ? check.problems : []),
    ...(typeof offersFiles === "boolean" ? [] : [OFFER_PROBLEM]),
  ];
  if (check.kind === "invalid" || problems.length > 0) return { kind: "invalid", problems };
  const own = { ...check.config.own, offer_files: offersFiles };
  return freezeDeep({ kind: "valid", config: { ...check.config, own } });
}

const OFFER_PROBLEM: ConfigProblem = { path: "offer_files", message: "must be true or false" };
