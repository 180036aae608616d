// What a console can do, whichever way it is drawn: send prompts, run commands, answer, and know that it is there.
import { maskTexts } from "../../agents/log/json-fields.ts";
import type { CommandContext, JsonValue } from "../../core/command/context.ts";
import { Fault, fault, formatFault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Attachment, Outcome } from "../../core/command/request.ts";
import type { Output } from "../../core/command/result.ts";
import { splitWords } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { Channel } from "../../core/process/command-spec.ts";
import { secretValues } from "../../core/secrets/mask.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import { type CommandCall, readCommonFlags } from "../../core/terminal/invocation.ts";
import {
  describeStack,
  formatMessage,
  renderJson,
  renderOutcome,
  withStack,
} from "../../core/terminal/render.ts";
import type { ConnectedHost } from "../host/connect.ts";
import type { AnswerOutcome, SendRequest } from "../host/session-host.ts";
import { WINDOW } from "./state/transcript-lines.ts";

export interface ConsoleSession {
  readonly id: string;
  /** It may have turns that this window has not seen. */
  readonly isOld: boolean;
  readonly host: ConnectedHost;
  readonly program: Program;
  readonly context: CommandContext;
  /** The caller's whole environment, as turns and commands of this session get it. */
  readonly env: Readonly<Record<string, string>>;
  readonly via: string | null;
}

/** What is set in the session counts when its turn starts. */
export function makePrompt(session: ConsoleSession, text: string): SendRequest {
  const { id, env, via, context, program } = session;
  const { workingDirectory: cwd } = context;
  const options = { cwd, root: program.root, agent: null, model: null, params: {}, via };
  return { sessionId: id, text, env, options };
}

export async function queuePrompt(session: ConsoleSession, text: string): Promise<Turn> {
  const sent = await session.host.send(makePrompt(session, text));
  if (sent.kind === "refused") throw fault("SessionBusy", { problem: sent.problem });
  return sent.turn;
}

/** What is written of it has none of the secrets that this window knows. */
export const answerFrom = (
  { host, env }: ConsoleSession,
  questionId: string,
  answer: JsonValue,
): Promise<AnswerOutcome> =>
  host.answer(questionId, answer, WINDOW, maskTexts(answer, secretValues(env)));

interface ShownOutcome {
  readonly exitCode: number;
  /** What is still to be shown; the rest was streamed. */
  readonly stdout: Output;
  readonly stderr: Output;
}

type ConsoleAttachment = Pick<
  Attachment,
  "interactors" | "isInteractive" | "onOutput" | "onProgress"
> & { readonly signal?: AbortSignal };

/** Runs a shell line as a tool of the person: hooks and approvals are those of an agent's. */
export const runShellLine = (
  session: ConsoleSession,
  line: string,
  attachment: ConsoleAttachment,
): Promise<ShownOutcome> =>
  request(session, { name: "console", words: ["--shell", line], ...NO_FLAGS }, attachment);

/** Runs `name words …` as a request of this surface; every ending is shown. */
export async function runConsoleCommand(
  session: ConsoleSession,
  line: string,
  attachment: ConsoleAttachment,
): Promise<ShownOutcome> {
  try {
    return await dispatchLine(session, line, attachment);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { exitCode } = error;
    return { exitCode, stdout: "", stderr: formatMessage(formatFault(error)) };
  }
}

async function dispatchLine(
  session: ConsoleSession,
  line: string,
  attachment: ConsoleAttachment,
): Promise<ShownOutcome> {
  const [name = "", ...words] = splitWords(line);
  return request(session, await readCall(session, name, words), attachment);
}

async function request(
  session: ConsoleSession,
  call: CommandCall,
  { signal, onOutput, ...lent }: ConsoleAttachment,
): Promise<ShownOutcome> {
  const streamed = new Set<Channel>();
  const { context, program, env, id } = session;
  const outcome = await program.dispatch(
    {
      command: { name: call.name, args: call.words },
      origin: { surface: "console" },
      cwd: context.workingDirectory,
      env,
      sessionId: call.session ?? id,
      signal: signal ?? context.signal,
      correlationId: newId(),
    },
    {
      ...lent,
      yes: call.yes,
      ...(onOutput === undefined || call.json
        ? {}
        : {
            onOutput: (chunk: Uint8Array, channel: Channel) => {
              if (chunk.length > 0) streamed.add(channel);
              return onOutput(chunk, channel);
            },
          }),
    },
  );
  return showOutcome(outcome, streamed, call);
}

/** Colour is the console's own affair. */
const NO_FLAGS: Omit<CommandCall, "name" | "words"> = {
  json: false,
  yes: false,
  quiet: false,
  debug: false,
  color: "auto",
  session: null,
};

async function readCall({ program }: ConsoleSession, name: string, words: readonly string[]) {
  if (name === "console")
    throw fault("InputInvalid", { what: "`/console`", problem: "this is one already" });
  const found = await program.resolve(name);
  const summary = found.kind === "found" ? found.entry.summary : null;
  return readCommonFlags(summary, { name, words, options: NO_FLAGS });
}

function showOutcome(
  outcome: Outcome,
  streamed: ReadonlySet<Channel>,
  { json, debug }: CommandCall,
): ShownOutcome {
  const { exitCode } = outcome.result;
  if (json)
    return {
      exitCode,
      stdout: renderJson(debug ? withStack(outcome) : outcome),
      stderr: "",
    };
  const { stdout, stderr } = renderOutcome(outcome, streamed);
  if (!debug || outcome.error === undefined) return { exitCode, stdout, stderr };
  return { exitCode, stdout, stderr: `${stderr}${describeStack(outcome.error)}` };
}
