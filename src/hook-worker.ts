// The thread in which hooks are answered: in the resident all of them, cold those that nobody else keeps the time of.
import { parentPort, workerData } from "node:worker_threads";
import { shareCompileCache } from "./core/process/compile-cache.ts";
import type { AnswerHook } from "./hooks/pipeline/hook-call.ts";
import {
  FIRST_LIMIT_MS,
  type FromAnswerThread,
  type ThreadCall,
  type ToAnswerThread,
} from "./hooks/resident/thread-answerer.ts";

shareCompileCache(workerData.compileCache);
const running = new Map<number, AbortController>();
const answering = makeAnswerer();

async function makeAnswerer(): Promise<AnswerHook> {
  const { createHookAnswerer } = await import("./hooks/pipeline/answer.ts");
  const { ownProgram } = await import("./own-program.ts");
  if (!workerData.isWarm) {
    const { makeColdParts } = await import("./hooks/resident/cold-parts.ts");
    return createHookAnswerer(makeColdParts(ownProgram));
  }
  const { makeWarmParts } = await import("./hooks/resident/warm-parts.ts");
  return createHookAnswerer(makeWarmParts(ownProgram));
}

const say = (message: FromAnswerThread): void => parentPort?.postMessage(message);

function receive(message: ToAnswerThread): void {
  if (message.kind === "ping") say({ kind: "pong" });
  else if (message.kind === "cancel") running.get(message.id)?.abort();
  else void answerCall(message.id, message.call);
}

async function answerCall(id: number, call: ThreadCall): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const answer = await answering;
    const onLimit = (limitMs: number) => {
      if (limitMs !== FIRST_LIMIT_MS) say({ kind: "limit", id, limitMs });
    };
    const onHeld = (limitMs: number) => say({ kind: "held", id, limitMs });
    const reply = await answer({ ...call, signal: stop.signal, onLimit, onHeld });
    say({ kind: "reply", id, stdout: reply.stdout, stderr: reply.stderr });
    recordLate(reply.record);
    await reply.background;
  } finally {
    running.delete(id);
    say({ kind: "settled", id });
  }
}

/** A full disk must not cost the next answer. */
function recordLate(record: () => void): void {
  try {
    record();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

parentPort?.on("message", receive);
