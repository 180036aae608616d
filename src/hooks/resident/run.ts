// The life of a resident: take the address, answer, look after itself, retire.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import type { Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import { identifySelf } from "../../core/process/identity.ts";
import { fingerprint } from "../../core/project/fingerprint.ts";
import type { AnswerHook } from "../pipeline/hook-call.ts";
import {
  addressFile,
  holdsAddress,
  KEY_LENGTH,
  type ResidentAddress,
  releaseAddress,
  takeAddress,
} from "./address.ts";
import { type CallTracker, createCallTracker } from "./calls.ts";
import { CAN_SHARE_PORT, createHttpListener, type HttpListener } from "./http-server.ts";
import { createSocketServer } from "./socket-server.ts";
import { startMarker } from "./start.ts";

export interface ResidentOptions {
  readonly stateDir: string;
  readonly version: string;
  readonly answer: AnswerHook;
  /** Calls by HTTP bring no environment of their own. */
  readonly env: Readonly<Record<string, string>>;
  /** The program's own files: when one changes, a new resident takes over. */
  readonly codeFiles: readonly string[];
  readonly idleMs: number;
  /** The server key of the resident that started this one to take over. */
  readonly replaces: string | null;
  /** Asks to retire. */
  readonly signal: AbortSignal;
  startSuccessor(replaces: string): void;
  /** Somebody came without the secret. */
  noteRefusal(problem: string): void;
  /** Something its owner should know. */
  noteProblem(problem: string): void;
}

/** Resolves when it is over: another one is there, it was asked to, or nobody called for long enough. */
export async function runResident(options: ResidentOptions): Promise<"taken" | "retired"> {
  const state = { isRetiring: false };
  const calls = createCallTracker(options.answer);
  const keys = { clientKey: newKey(), serverKey: newKey() };
  const shared = { calls, isRetiring: () => state.isRetiring, refuse: options.noteRefusal };
  const server = createSocketServer({ ...keys, ...shared });
  const port = await listen(server);
  const address = { port, version: options.version, ...keys, owner: identifySelf() };
  const file = addressFile(options.stateDir);
  const http = createHttpListener({ ...options, ...shared });
  try {
    // A successor listens before it takes over: in between, nobody would.
    if (options.replaces !== null && CAN_SHARE_PORT) await http.follow();
    const claim = await takeAddress({ file, address, replaces: options.replaces });
    if (claim.kind === "taken") return "taken";
    rmSync(startMarker(options.stateDir), { force: true });
    await watchResident({ options, address, file, calls, http });
    state.isRetiring = true;
    releaseAddress(file, address);
    return "retired";
  } finally {
    http.close();
    await drain(server, calls);
  }
}

/** Callers the system lets wait; beyond that they would be turned away, and start the program each. */
const MAX_WAITING = 4_096;

const newKey = (): string => randomBytes(KEY_LENGTH / 2).toString("hex");

async function listen(server: Server): Promise<number> {
  server.listen({ port: 0, host: "127.0.0.1", backlog: MAX_WAITING });
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("no port");
  return address.port;
}

interface ResidentWatch {
  readonly options: ResidentOptions;
  readonly address: ResidentAddress;
  readonly file: string;
  readonly calls: CallTracker;
  readonly http: HttpListener;
}

/** Whoever read the address just before another took its place finds somebody, and need not start the program. */
const LAST_CALLERS_MS = 250;

/** Returns when it is time to retire. */
async function watchResident({
  options,
  address,
  file,
  calls,
  http,
}: ResidentWatch): Promise<void> {
  const { signal, idleMs, codeFiles } = options;
  const code = stampCode(codeFiles);
  const every = Math.min(1_000, Math.max(20, idleMs / 4));
  let handingOverSince: number | null = null;
  while (!signal.aborted) {
    await http.follow();
    const now = performance.now();
    const seen = {
      isNamed: holdsAddress(file, address),
      code: compareCode(code, stampCode(codeFiles)),
      handingOverForMs: handingOverSince === null ? null : now - handingOverSince,
      running: calls.running,
      idleForMs: now - calls.lastActiveAt,
      servesHttp: http.isOpen,
    };
    const upkeep = decideUpkeep(seen, idleMs);
    if (upkeep === "retire") {
      if (!seen.isNamed) await waitUnlessAborted(LAST_CALLERS_MS, signal);
      return;
    }
    if (upkeep === "hand over") {
      handingOverSince = now;
      options.startSuccessor(address.serverKey);
    }
    await waitUnlessAborted(every, signal);
  }
}

const DRAIN_LIMIT_MS = 120_000;
const LAST_BYTES_MS = 1_000;

/** Who was called while it ran is answered; nobody new gets in. */
async function drain(server: Server, calls: CallTracker): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await Promise.race([calls.settled(), pause(DRAIN_LIMIT_MS, undefined, { ref: false })]);
  await Promise.race([closed, pause(LAST_BYTES_MS)]);
}

// What a resident does about itself now and then. Pure: what was seen goes in, what to do comes out.

export interface ResidentCondition {
  /** Its own address still stands in the file. */
  readonly isNamed: boolean;
  /** The program on disk is another than the one that runs, or is gone. */
  readonly code: "same" | "changed" | "gone";
  /** Since the successor was started, null where there is none. */
  readonly handingOverForMs: number | null;
  readonly running: number;
  readonly idleForMs: number;
  /** An agent that calls HTTP has no cold way: for it somebody must be there. */
  readonly servesHttp: boolean;
}

type Upkeep = "stay" | "hand over" | "retire";

const HANDOVER_LIMIT_MS = 10_000;

export function decideUpkeep(seen: ResidentCondition, idleMs: number): Upkeep {
  if (!seen.isNamed || seen.code === "gone") return "retire";
  if (seen.code === "changed") {
    if (seen.handingOverForMs === null) return "hand over";
    return seen.handingOverForMs > HANDOVER_LIMIT_MS ? "retire" : "stay";
  }
  const isIdle = seen.running === 0 && seen.idleForMs >= idleMs;
  return isIdle && !seen.servesHttp ? "retire" : "stay";
}

/** The program's files as they are on disk; null where one is gone. */
function stampCode(files: readonly string[]): string | null {
  const prints = files.map(fingerprint);
  return prints.includes(null) ? null : prints.join("\n");
}

export function compareCode(
  before: string | null,
  now: string | null,
): "same" | "changed" | "gone" {
  if (now === null) return "gone";
  return now === before ? "same" : "changed";
}
