// A hook call of an agent that runs in a turn: it is handed to whoever runs the turn, where a person may be asked. No
// host, no whole answer or none in time means that the tool does not run.

import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage, RequestOptions } from "node:http";
import { effectiveAgent, findAgent, findHookAgent } from "../../agents/roster.ts";
import type { HookAbilities } from "../../agents/steps/hook-agent.ts";
import { messageOf, systemCodeOf } from "../../core/command/fault.ts";
import { readAtMost } from "../../core/process/read-stream.ts";
import { isRecord, parseJsonObject } from "../../core/project/json-value.ts";
import {
  type HookCall,
  type HookReply,
  sayProblem,
  TURN_HOOK_EVENT,
  TURN_HOOK_NAME,
} from "../pipeline/hook-call.ts";
import { refuseInTurn } from "../pipeline/own-fault.ts";
import { isSameSecret } from "./wire.ts";

/** Where a turn's hooks are answered. The file is its owner's alone. */
export interface TurnAddress {
  /** `http://127.0.0.1:PORT`; calls go to `/v1/hook/AGENT` below it. */
  readonly url: string;
  /** Sent as `Authorization: Bearer …`. */
  readonly clientKey: string;
  /** An answer without it is another's. */
  readonly serverKey: string;
  /** How long the agent's own hook of this run waits. */
  readonly limitMs: number;
}

export const formatTurnAddress = ({ url, clientKey, serverKey, limitMs }: TurnAddress): string =>
  `adj-turn1 ${url} ${clientKey} ${serverKey} ${limitMs}\n`;

/** Throws what a person should know. */
function readTurnAddress(file: string): TurnAddress {
  const { mode, uid } = statSync(file);
  if ((mode & 0o077) !== 0 || uid !== process.getuid?.())
    throw new Error(`\`${file}\` is not its owner's alone`);
  const words = readFileSync(file, "utf8").trimEnd().split(" ");
  const [format, url = "", clientKey = "", serverKey = "", limit = ""] = words;
  const isWhole = format === "adj-turn1" && serverKey !== "" && Number(limit) > 0;
  if (!isWhole || !/^http:\/\/127\.0\.0\.1:\d+$/.test(url))
    throw new Error(`\`${file}\` holds no address`);
  return { url, clientKey, serverKey, limitMs: Number(limit) };
}

// What goes over the wire, for both ends.

type TurnCall = Pick<HookCall, "payload" | "cwd"> & {
  readonly env: Readonly<Record<string, string>>;
  readonly event: string | null;
};

/** The body of a call as the host reads it; null for anything else. */
export function readTurnCall(body: string): TurnCall | null {
  const value = parseJsonObject(body);
  if (value === null) return null;
  const { payload, cwd, env, event } = value;
  const isWhole = typeof payload === "string" && typeof cwd === "string" && isRecord(env);
  if (!isWhole) return null;
  const texts = Object.entries(env).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, text] as const] : [],
  );
  const named = typeof event === "string" ? event : null;
  return { payload, cwd, env: Object.fromEntries(texts), event: named };
}

/** The host's answer to it. */
export const formatTurnReply = (
  { stdout, stderr }: Pick<HookReply, "stdout" | "stderr">,
  { serverKey }: Pick<TurnAddress, "serverKey">,
): string => JSON.stringify({ key: serverKey, stdout, stderr });

// The caller's side.

interface TurnCallRequest extends TurnCall {
  readonly agent: string;
  readonly signal: AbortSignal;
}

interface TurnCallReply {
  readonly stdout: string;
  readonly stderr: string;
}

/** `file` is null where a hook of a turn was called without one. It never throws. */
export async function answerTurnCall(
  file: string | null,
  call: TurnCallRequest,
): Promise<TurnCallReply> {
  const payload = call.payload === null ? null : parseJsonObject(call.payload);
  const { name } = effectiveAgent(call.agent, payload ?? {}, call.env);
  const agent = await findHookAgent(name);
  if (agent === null) return { stdout: "", stderr: sayProblem(`unknown agent \`${call.agent}\``) };
  try {
    if (file === null) throw new Error(`\`${TURN_HOOK_NAME}\` is not set`);
    if (call.payload === null) throw new Error("the payload of this step is over 64 MiB");
    const address = readTurnAddress(file);
    const limitMs = limitFor(call, address, agent.abilities);
    return await forward(address, { ...call, limitMs });
  } catch (error) {
    const problem = describeProblem(error);
    const stdout = await refuseInTurn({ call, agent, payload, problem });
    return { stdout, stderr: findAgent(name)?.readsStderr ? "" : sayProblem(problem) };
  }
}

/** What starting and answering may take of the time that an installed entry allows. */
const SPARE_MS = 3_000;
/** What they may take where the tool runs after that time. */
const OPEN_SPARE_MS = 10_000;

function limitFor(
  { event }: TurnCall,
  { limitMs }: TurnAddress,
  { hookLimitMs, opensAfterMs = Number.POSITIVE_INFINITY }: HookAbilities,
): number {
  const ownMs = event === TURN_HOOK_EVENT ? limitMs : Math.min(limitMs, hookLimitMs - SPARE_MS);
  return Math.min(ownMs, opensAfterMs - OPEN_SPARE_MS);
}

function describeProblem(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "nobody answered in time";
  const code = systemCodeOf(error);
  const isGone = code === "ECONNREFUSED" || code === "ENOENT" || code === "ECONNRESET";
  return isGone ? "whoever runs this turn is gone" : messageOf(error);
}

const MAX_REPLY_BYTES = 64 << 20;

async function forward(
  { url, clientKey, serverKey }: TurnAddress,
  { agent, payload, cwd, env, event, signal, limitMs }: TurnCallRequest & { limitMs: number },
): Promise<TurnCallReply> {
  const body = JSON.stringify({ payload, cwd, env, event });
  const text = await post(`${url}/v1/hook/${encodeURIComponent(agent)}`, body, {
    headers: { authorization: `Bearer ${clientKey}`, "content-type": "application/json" },
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
  });
  const reply = parseJsonObject(text);
  const { key, stdout, stderr } = reply ?? {};
  const isWhole = typeof stdout === "string" && typeof stderr === "string";
  if (!isWhole || typeof key !== "string" || !isSameSecret(key, serverKey))
    throw new Error("whoever runs this turn gave no whole answer");
  return { stdout, stderr };
}

async function post(url: string, body: string, options: RequestOptions): Promise<string> {
  const { request } = await import("node:http");
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, { ...options, method: "POST", agent: false }, resolve);
    outgoing.on("error", (error) => {
      const { signal } = options;
      reject(signal?.aborted && signal.reason instanceof Error ? signal.reason : error);
    });
    outgoing.end(body);
  });
  if (response.statusCode !== 200)
    throw new Error(`whoever runs this turn answered with ${response.statusCode}`);
  const bytes = await readAtMost(response, MAX_REPLY_BYTES);
  if (bytes === null) throw new Error("the answer is too large");
  return bytes.toString();
}
