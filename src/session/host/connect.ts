// How a window gets to the host: the one that runs, one that is started for it, or one inside this very process.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { AGENT_SIGNS } from "../../agents/roster.ts";
import type { Surface } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { seesOtherFiles } from "../../core/process/namespaces.ts";
import { startDetached } from "../../core/process/start-detached.ts";
import { findHost, type HostAddress } from "./address.ts";
import { createHostClient } from "./client.ts";
import { openHost } from "./open-host.ts";
import type { SessionHost } from "./session-host.ts";

interface HostConnection {
  readonly program: Program;
  /** The caller's whole environment: an agent's keys are in it. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** What a host inside this process is on record as. */
  readonly surface?: Surface;
}

/** A host on loopback outlives the window; one inside it ends with it. */
export interface ConnectedHost extends SessionHost {
  readonly isInside: boolean;
}

/** Machines that build things get none, nor who does not want one. */
function wantsHost({ ADJ_HOST, CI }: Readonly<Record<string, string | undefined>>): boolean {
  return ADJ_HOST !== "off" && (!CI || CI === "false" || CI === "0");
}

export async function connectHost(connection: HostConnection): Promise<ConnectedHost> {
  const { program, env } = connection;
  // A host that sees other files than the rest of the machine may serve nobody but its starter.
  if (wantsHost(env) && !seesOtherFiles(program.stateDir)) {
    const address = await findOrStart(connection);
    return { ...createHostClient(address), isInside: false };
  }
  const running = findHost(program.stateDir);
  if (running !== null) return { ...createHostClient(running), isInside: false };
  return openInside(connection);
}

async function openInside(connection: HostConnection): Promise<ConnectedHost> {
  const { program, env, surface = "cli" } = connection;
  const stop = () => undefined;
  const opened = await openHost({ program, env, surface, stop, waitsForOthers: false });
  const { host } = opened;
  return {
    isInside: true,
    send: (request) => host.send(request),
    steer: (...words) => host.steer(...words),
    cancel: (turnId) => host.cancel(turnId),
    turns: (sessionId, last) => host.turns(sessionId, last),
    questions: () => host.questions(),
    answer: (...given) => host.answer(...given),
    callExtension: (...call) => host.callExtension(...call),
    follow: (request) => host.follow(request),
    close: () => opened.close(),
  };
}

const START_LIMIT_MS = 15_000;
const START_AGAIN_MS = 3_000;
const LOOK_MS = 20;

async function findOrStart(connection: HostConnection): Promise<HostAddress> {
  const { program, signal } = connection;
  const findFitting = async () => {
    const found = findHost(program.stateDir);
    return found?.version === program.version && (await isListening(found)) ? found : null;
  };
  const there = await findFitting();
  if (there !== null) return there;
  const begun = performance.now();
  for (let starts = 0; performance.now() < begun + START_LIMIT_MS; ) {
    // One that was started while another was still ending has left again.
    if (performance.now() >= begun + starts * START_AGAIN_MS) {
      startHost(connection);
      starts += 1;
    }
    await pause(LOOK_MS, undefined, { signal });
    const found = await findFitting();
    if (found !== null) return found;
  }
  const problem = "it did not start";
  throw fault("HostUnreachable", { problem }, { hint: "`adj serve` says why" });
}

/** A host that was killed counts as a process for some moments after its port is closed. */
async function isListening({ port }: HostAddress): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const KEPT = new Set(["ADJ_STATE_DIR", "ADJ_CONFIG_DIR", "ADJ_DATA_DIR", "ADJ_HOST_IDLE"]);
/** Where the agents' programs are. */
const PROGRAMS = "ADJ_AGENT_";

/** As in `bin/adj`: V8 would keep 128 MB for young objects after some hundred calls. */
const STAYING = ["--max-semi-space-size=4"];

/** It has the person's variables, for turns that are left to it, but nothing of this one session. */
function startHost({ program, env }: HostConnection): void {
  const [executable = process.execPath, ...words] = program.entry;
  const isKept = (name: string) =>
    (!name.startsWith("ADJ_") || name.startsWith(PROGRAMS) || KEPT.has(name)) &&
    !AGENT_SIGNS.marks.includes(name);
  startDetached({
    executable,
    args: [...STAYING, ...words, "serve"],
    cwd: "/",
    env: Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name))),
  });
}
