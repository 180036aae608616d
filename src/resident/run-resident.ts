// The life of a resident: take the address, answer, look after itself, retire.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import type { Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { AnswerHook } from "../hooks/hook-call.ts";
import { identifySelf } from "../process/identity.ts";
import { addressFile, KEY_LENGTH, type ResidentAddress } from "./address.ts";
import { type CallDesk, createCallDesk } from "./call-desk.ts";
import { holdsAddress, releaseAddress } from "./claim.ts";
import { compareCode, stampCode } from "./code-stamp.ts";
import { createHttpDoor, type HttpDoor } from "./http-door.ts";
import { createSocketServer } from "./socket-server.ts";
import { startMarker } from "./start-resident.ts";
import { takeAddress } from "./take-address.ts";
import { decideUpkeep } from "./upkeep.ts";

export interface ResidentParts {
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
export async function runResident(parts: ResidentParts): Promise<"taken" | "retired"> {
  const state = { isRetiring: false };
  const desk = createCallDesk(parts.answer);
  const keys = { clientKey: newKey(), serverKey: newKey() };
  const shared = { desk, isRetiring: () => state.isRetiring, refuse: parts.noteRefusal };
  const server = createSocketServer({ ...keys, ...shared });
  const port = await listen(server);
  const address = { port, version: parts.version, ...keys, owner: identifySelf() };
  const file = addressFile(parts.stateDir);
  const http = createHttpDoor({ ...parts, ...shared });
  try {
    const claim = await takeAddress({ file, address, replaces: parts.replaces });
    if (claim.kind === "taken") return "taken";
    rmSync(startMarker(parts.stateDir), { force: true });
    await attend({ parts, address, file, desk, http });
    state.isRetiring = true;
    releaseAddress(file, address);
    return "retired";
  } finally {
    http.close();
    await drain(server, desk);
  }
}

/** Callers the system lets wait; beyond that they would be turned away, and start the program each. */
const MOST_WAITING = 4_096;

const newKey = (): string => randomBytes(KEY_LENGTH / 2).toString("hex");

async function listen(server: Server): Promise<number> {
  server.listen({ port: 0, host: "127.0.0.1", backlog: MOST_WAITING });
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("no port");
  return address.port;
}

interface Attendance {
  readonly parts: ResidentParts;
  readonly address: ResidentAddress;
  readonly file: string;
  readonly desk: CallDesk;
  readonly http: HttpDoor;
}

/** Returns when it is time to retire. */
async function attend({ parts, address, file, desk, http }: Attendance): Promise<void> {
  const { signal, idleMs, codeFiles } = parts;
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
      running: desk.running,
      idleForMs: now - desk.lastActiveAt,
      servesHttp: http.isOpen,
    };
    const upkeep = decideUpkeep(seen, idleMs);
    if (upkeep === "retire") return;
    if (upkeep === "hand over") {
      handingOverSince = now;
      parts.startSuccessor(address.serverKey);
    }
    await untilNextLook(every, signal);
  }
}

/** Cut short when it is asked to retire. */
const untilNextLook = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  pause(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

const DRAIN_LIMIT_MS = 120_000;
const LAST_BYTES_MS = 1_000;

/** Who was called while it ran is answered; nobody new gets in. */
async function drain(server: Server, desk: CallDesk): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await Promise.race([desk.settled(), pause(DRAIN_LIMIT_MS, undefined, { ref: false })]);
  await Promise.race([closed, pause(LAST_BYTES_MS)]);
}
