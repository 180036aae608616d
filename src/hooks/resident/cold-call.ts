// `adj hook AGENT`, cold: stdin → reply → stdout. It always ends with 0; an agent may take anything else for a "no".
// Only without an agent it ends otherwise: that is a person.
import { readSync } from "node:fs";
import { homedir } from "node:os";
import { agentNameOf, findAgent, namesWith } from "../../agents/roster.ts";
import { Fault, ownProblem, systemCodeOf } from "../../core/command/fault.ts";
import { VERSION } from "../../core/command/version.ts";
import { findDataDir, findPaths } from "../../core/project/paths.ts";
import { ENTRY_LIMIT_WORD } from "../../core/step/step.ts";
import { writeOut } from "../../core/terminal/write-out.ts";
import { selectHookVariables } from "../handlers/environment.ts";
import { createHookAnswerer } from "../pipeline/answer.ts";
import { readMarker } from "../pipeline/guard-marker.ts";
import {
  type AnswerHook,
  HELD_WORD,
  type HookCall,
  MAX_PAYLOAD_BYTES,
  readEntryLimit,
  TURN_HOOK_EVENT,
  TURN_HOOK_NAME,
} from "../pipeline/hook-call.ts";
import { entryBeside, type HookProgram, makeColdParts } from "./cold-parts.ts";
import { offerResident, wantsResident } from "./start.ts";
import type { answerTurnCall } from "./turn-call.ts";

interface ClientWords {
  /** What the client was told by the agent's entry: then the client watches, and ends what takes too long. */
  readonly event: string | undefined;
  /** `--held=SECONDS`: what is left of the entry's own limit. Then the client wants to know when a person is asked. */
  readonly limit: string | undefined;
}

/** No answer holds it, so the client knows it for a sign. */
const HELD_SIGN = "\0";

export async function answerColdCall(
  agent: string,
  words: ClientWords,
  program: HookProgram,
): Promise<void> {
  if (agent === "" || agent.startsWith("-")) {
    explain(agent === "--help" || agent === "-h");
    return;
  }
  // An entry that a person wrote may have an alias; without this no guard would be asked.
  const name = agentNameOf(agent);
  try {
    await answerOnce(name, words, program);
  } catch (error) {
    // The answer is out, or nobody reads it; what else went wrong must be known where it can be.
    const isRead = findAgent(name)?.readsStderr ?? false;
    if (!isRead) writeOut(`adj: ${ownProblem(error)}\n`, "stderr");
  }
}

function explain(isAskedFor: boolean): void {
  const usage = `adj hook AGENT is what agents call, with a payload on stdin; \`adj install AGENT\` wires it in, \`adj hooks test\` tries it; agents: ${namesWith("hooks").join(", ")}\n`;
  writeOut(isAskedFor ? usage : `adj: ${usage}`, isAskedFor ? "stdout" : "stderr");
  process.exitCode = isAskedFor ? 0 : 2;
}

async function answerOnce(agent: string, words: ClientWords, program: HookProgram): Promise<void> {
  const { event, ...held } = readWords(words);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const payload = readPayload();
  const turnHook = process.env[TURN_HOOK_NAME] || null;
  if (turnHook !== null || event === TURN_HOOK_EVENT) {
    await answerInTurn(turnHook, { agent, event: event ?? null, payload, signal: stop.signal });
    return;
  }
  const answer = await makeAnswerer(agent, event, program);
  const reply = await answer({
    agent,
    payload,
    env: selectHookVariables(process.env),
    cwd: currentFolder(),
    signal: stop.signal,
    ...(event === undefined ? {} : { event }),
    ...held,
  });
  writeOut(reply.stdout, "stdout");
  writeOut(reply.stderr, "stderr");
  await offer(program.program);
  await reply.background;
  reply.record();
}

/** Between an entry that says its limit itself and this process there is no client, and nobody to be told of a hold. */
function readWords({ event, limit = "" }: ClientWords): Pick<
  HookCall,
  "entryLimitMs" | "onHeld"
> & {
  readonly event: string | undefined;
} {
  if (event?.startsWith(ENTRY_LIMIT_WORD))
    return { event: undefined, entryLimitMs: readEntryLimit(event.slice(ENTRY_LIMIT_WORD.length)) };
  if (!limit.startsWith(HELD_WORD)) return { event };
  const entryLimitMs = readEntryLimit(limit.slice(HELD_WORD.length));
  return { event, entryLimitMs, onHeld: () => void writeOut(HELD_SIGN, "stdout") };
}

/** Who runs the turn decides; neither the resident nor this process has a word in it. */
async function answerInTurn(
  file: string | null,
  call: Omit<Parameters<typeof answerTurnCall>[1], "env" | "cwd">,
): Promise<void> {
  const { answerTurnCall: answer } = await import("./turn-call.ts");
  const env = selectHookVariables(process.env);
  const { stdout, stderr } = await answer(file, { ...call, env, cwd: currentFolder() });
  writeOut(stdout, "stdout");
  writeOut(stderr, "stderr");
}

/** A thread takes longer to start than most answers, so only guards that nobody else watches get one. */
async function makeAnswerer(
  agent: string,
  event: string | undefined,
  program: HookProgram,
): Promise<AnswerHook> {
  const { env } = process;
  const marker = event === undefined ? readMarker(findDataDir(env, env.HOME || homedir())) : "";
  const isGuarded = marker?.includes(`\nguard\t${agent}\t`) !== false;
  if (!isGuarded) return createHookAnswerer(makeColdParts(program));
  const { createThreadAnswerer } = await import("./thread-answerer.ts");
  const file = entryBeside(program.program, "hook-worker");
  return createThreadAnswerer({ file, isWarm: false, noteProblem: () => undefined }).answer;
}

/** The answer is out: from the next call on, somebody may be there who gives it faster. */
async function offer(entry: readonly string[]): Promise<void> {
  const { env } = process;
  if (!wantsResident(env)) return;
  try {
    const { stateDir } = findPaths(env, env.HOME || homedir());
    await offerResident({ stateDir, version: VERSION, entry, env });
  } catch (error) {
    // A state folder that cannot be used was told of with the answer.
    if (!(error instanceof Fault)) throw error;
  }
}

/** The folder may have been removed under the agent. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

const FIRST_BYTES = 64 * 1024;
const EMPTY_PIPE_PAUSE_MS = 1;
const STDIN = 0;

/**
 * All of stdin; null where it is too much, which is then read to its end all the same, for the sake of who writes.
 * `process.stdin` would do, but costs a tenth of a start to set up.
 */
function readPayload(): string | null {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  let isTooMuch = false;
  for (;;) {
    if (length === buffer.length) {
      isTooMuch ||= length >= MAX_PAYLOAD_BYTES;
      if (isTooMuch) length = 0;
      else buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
    const count = readSome(buffer, length);
    if (count === 0) return isTooMuch ? null : buffer.toString("utf8", 0, length);
    length += Math.max(0, count);
  }
}

/** Zero at the end, less where nothing is there yet. */
function readSome(buffer: Buffer, offset: number): number {
  try {
    return readSync(STDIN, buffer, offset, buffer.length - offset, null);
  } catch (error) {
    const code = systemCodeOf(error);
    // Closed before the start: nothing will come.
    if (code === "EBADF" || code === "EOF") return 0;
    if (code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EMPTY_PIPE_PAUSE_MS);
    return -1;
  }
}
