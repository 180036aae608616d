import { openStopRequest } from "../../process/stop-request.ts";
import type {
  AgentAdapter,
  AgentExecutionContext,
  AgentExecutionResult,
  ExecuteOptions,
} from "../adapter.ts";
import { asList, asName } from "../json-fields.ts";
import { concludeReading, readProcess } from "../read-process.ts";
import { RunReader } from "../run-reader.ts";
import { withTempFolder } from "../temp-folder.ts";
import { Conversation } from "./conversation.ts";
import { Departure, decideDeparture } from "./departure.ts";
import { answerFileRequest, type FileRequest, offerFiles } from "./file-request.ts";
import { initialize } from "./messages.ts";
import { Outbox } from "./outbox.ts";

/** So long an agent may take to leave once its stdin is closed; some never do. */
const LEAVE_MS = 2_000;
/** So long it may take to stop when it is asked to; then the process is ended. */
const STOP_MS = 500;

export const executeAcp = (
  adapter: AgentAdapter,
  context: AgentExecutionContext,
  options: ExecuteOptions,
): Promise<AgentExecutionResult> =>
  withTempFolder(context.env.TMPDIR, (folder) =>
    converse(adapter, { ...context, env: { ...context.env, TMPDIR: folder } }, options),
  );

async function converse(
  adapter: AgentAdapter,
  context: AgentExecutionContext,
  { signal, onEvent, rawLimitBytes }: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const { outbox, departure, conversation, hold } = prepareTalk(context);
  const now = () => new Date().toISOString();
  const reader = new RunReader(
    { ...adapter, createDialect: () => conversation },
    { format: "structured", now, onEvent },
  );
  const { timeout: timeoutMs } = context;
  const stop = openStopRequest({ timeoutMs, ...(signal === undefined ? {} : { signal }) });
  void stop.requested.then((cause) => {
    const isAsked = departure.cause === null && conversation.cancel();
    departure.begin(cause === "timed_out" ? cause : "cancelled", isAsked ? STOP_MS : 0);
  });
  if (signal?.aborted) departure.begin("cancelled", 0);
  const command = adapter.buildCommand(context);
  const reading = { context, command, reader, stdin: outbox.texts(), rawLimitBytes, hold };
  // The clock is ours, because the agent is asked before it is ended.
  const untimed = { ...reading, command: { ...command, timeout: 0 }, signal: departure.signal };
  const ended = await readProcess(untimed).finally(() => {
    stop.close();
    departure.close();
    outbox.close();
  });
  // Nothing is written for the agent once its run is over.
  await hold();
  const ending = decideDeparture(departure.cause, ended);
  const isOver = ending.kind === "timed_out" || (ending.kind === "exited" && !departure.cause);
  if (isOver && !conversation.isIntroduced)
    reader.noteError("PARSE_ERROR", "`initialize` was not answered: the program may not speak ACP");
  return concludeReading({ ...reading, signal }, { ended, ending, report: null });
}

function prepareTalk(context: AgentExecutionContext) {
  const plan = planOf(context);
  const outbox = new Outbox();
  const departure = new Departure();
  // One after the other, each when the last ones are read: an agent may ask for more than can be held.
  let served = Promise.resolve();
  const serveFile = (asked: FileRequest) => {
    served = served.then(async () => {
      await outbox.whenRoomy();
      if (!outbox.isClosed) outbox.send(await answerFileRequest(plan, asked));
    });
  };
  const onEnd = () => {
    outbox.close();
    departure.begin("done", LEAVE_MS);
  };
  const send = outbox.send.bind(outbox);
  const conversation = new Conversation({ ...plan, send, serveFile, onEnd });
  departure.signal.addEventListener("abort", () => outbox.close());
  outbox.send(initialize(offerFiles(context.config.own.offer_files === true, plan.policy)));
  return { outbox, departure, conversation, hold: () => served.then(() => outbox.whenRoomy()) };
}

function planOf({ config, workspaceDir }: AgentExecutionContext) {
  const { permission_mode: mode, allowed_tools: allowed, resume, model } = config.settings;
  return {
    cwd: workspaceDir,
    prompt: config.prompt,
    resume: asName(resume),
    model: asName(model),
    policy: { mode: asName(mode) ?? "ask", allowed: asList(allowed).map(String) },
  };
}
