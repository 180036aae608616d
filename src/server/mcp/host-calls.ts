// How a connection has a command run: ordered from the host, waited for, read. Tools, prompts and resources all go this way.

import type { JsonValue } from "../../core/command/context.ts";
import { Fault, fault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { asRecord } from "../../core/project/json-value.ts";
import type { SessionHost } from "../../session/host/session-host.ts";
import type { CallOrder, CallOutcome, CallView } from "../calls/command-call.ts";
import type { RequestGate } from "./request-gate.ts";

export interface Connection {
  readonly program: Program;
  readonly host: Pick<SessionHost, "callExtension">;
  readonly cwd: string;
  readonly root: string;
  /** The connection's own session. */
  readonly sessionId: string;
  /** What commands are run with: nothing of the client's own keys. */
  env(): Promise<Readonly<Record<string, string>>>;
  /** What its requests pass before a command is run for them. */
  readonly gate: RequestGate;
  /** Bundled commands too. */
  readonly isAll: boolean;
  /** What a handle stands for that names no run; absent where requests have no connection in common. */
  readonly lastRun?: { id: string | null };
  /** Hears what a client was told of. */
  readonly onOffer?: (offer: string) => void;
}

type Words = readonly string[] | Readonly<Record<string, unknown>>;

interface OrderedCommand {
  readonly name: string;
  readonly args: Words;
  readonly client: string;
}

export async function startCall(
  connection: Connection,
  command: OrderedCommand,
): Promise<CallView> {
  const { cwd, root, sessionId } = connection;
  const order: Omit<CallOrder, "args"> & { readonly args: Words } = {
    ...command,
    ...{ cwd, root, sessionId },
  };
  const body: JsonValue = JSON.parse(JSON.stringify(order));
  try {
    return await askView(connection, "start", body);
  } catch (error) {
    if (!isHostGone(error)) throw error;
    // It had just left by itself and has not received it: the next one does.
    if (isConnectionRefused(error)) return askView(connection, "start", body);
    const hint = `nobody knows whether \`${command.name}\` was begun: look at what it did before you call it again`;
    throw fault("HostUnreachable", { problem: "it ended" }, { hint, cause: error });
  }
}

export async function waitForCall(
  connection: Connection,
  id: string,
  { ms, afterStep }: { readonly ms: number; readonly afterStep?: number },
): Promise<CallView> {
  const body = {
    ...{ id, ms, root: connection.root },
    ...(afterStep === undefined ? {} : { afterStep }),
  };
  try {
    return await askView(connection, "wait", body);
  } catch (error) {
    if (!isHostGone(error)) throw error;
    // The next host knows what was kept of it.
    return askView(connection, "wait", body);
  }
}

const isHostGone = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === "HostUnreachable";

const isConnectionRefused = ({ cause }: Fault): boolean =>
  cause instanceof Error && asRecord(cause.cause).code === "ECONNREFUSED";

export async function cancelCall({ host, env, root }: Connection, id: string): Promise<void> {
  await host.callExtension("mcp", "cancel", { id, root }, await env());
}

/** The host is our own program, so what it answers is taken for what it says. */
async function askView(
  { host, env }: Connection,
  method: "start" | "wait",
  body: JsonValue,
): Promise<CallView> {
  const answer = await host.callExtension("mcp", method, body, await env());
  const view: CallView = JSON.parse(JSON.stringify(answer));
  return view;
}

/** Reading does not take long; what does is not worth waiting for. */
const READ_LIMIT_MS = 30_000;

/** Runs a command that only reads, to its end; a fault where it does not go well. */
export async function readByCommand(
  connection: Connection,
  command: OrderedCommand,
): Promise<CallOutcome> {
  const { id } = await startCall(connection, command);
  const { outcome } = await waitForCall(connection, id, { ms: READ_LIMIT_MS });
  if (outcome?.kind === "ok") return outcome;
  await cancelCall(connection, id);
  const problem = outcome?.error?.message ?? outcome?.errorOutput ?? "it took too long";
  throw fault("InputInvalid", { what: `\`${command.name}\``, problem });
}
