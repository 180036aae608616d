import type {
  AgentAdapter,
  AgentExecutionContext,
  AgentExecutionResult,
  ExecuteOptions,
} from "../adapter.ts";
import { describeRunEnding } from "../execution.ts";
import { asList, asName } from "../json-fields.ts";
import { concludeReading, readProcess } from "../read-process.ts";
import { RunReader } from "../run-reader.ts";
import { withTempFolder } from "../temp-folder.ts";
import { Conversation } from "./conversation.ts";
import { initialize } from "./messages.ts";
import { Outbox } from "./outbox.ts";

/** So long an agent may take to leave once its stdin is closed; some never do. */
const LEAVE_MS = 2_000;

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
  { signal: cancel, onEvent, rawLimitBytes }: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const outbox = new Outbox();
  const leaving = new AbortController();
  const now = () => new Date().toISOString();
  const onEnd = () => {
    outbox.close();
    setTimeout(() => leaving.abort(), LEAVE_MS).unref();
  };
  const send = outbox.send.bind(outbox);
  const createDialect = () => new Conversation({ ...planOf(context), send, onEnd });
  const reader = new RunReader(
    { ...adapter, createDialect },
    { format: "structured", now, onEvent },
  );
  const signal = AbortSignal.any(
    cancel === undefined ? [leaving.signal] : [leaving.signal, cancel],
  );
  const command = adapter.buildCommand(context);
  const reading = { context, command, reader, stdin: outbox.texts(), signal, rawLimitBytes };
  send(initialize());
  const ended = await readProcess(reading);
  outbox.close();
  // One that would not leave was shown out after its last word: that is no cancelling.
  const wasShownOut = leaving.signal.aborted && cancel?.aborted !== true;
  const ending = wasShownOut ? LEFT : describeRunEnding(ended);
  return concludeReading(reading, { ended, ending, report: null });
}

const LEFT = { kind: "exited", exitCode: 0, signal: null } as const;

function planOf({ config, workspaceDir: cwd }: AgentExecutionContext) {
  const { permission_mode: mode, allowed_tools: allowed, resume } = config.settings;
  return {
    cwd,
    prompt: config.prompt,
    resume: asName(resume),
    policy: { mode: asName(mode) ?? "ask", allowed: asList(allowed).map(String) },
  };
}
