// The life of the host of a state folder: take the address, end what a dead one left, serve, leave when nobody needs it.
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import { fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { identifySelf } from "../../core/process/identity.ts";
import {
  holdsAddress,
  readAddress,
  releaseAddress,
  takeAddress,
} from "../../hooks/resident/address.ts";
import { hostFile, killHostLeftovers } from "./address.ts";
import { openHost } from "./open-host.ts";

interface ServeOptions {
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  /** Without turns and windows it leaves after so long. */
  readonly idleMs: number;
  /** Asks it to leave: turns under way end first. */
  readonly signal: AbortSignal;
  /** It can be reached now. */
  readonly onReady: (port: number) => void;
}

const LOOK_MS = 200;

export async function serveHost(options: ServeOptions): Promise<void> {
  const { program, env, signal, onReady } = options;
  const file = hostFile(program.stateDir);
  const before = readAddress(file);
  const stop = new AbortController();
  const opened = await openHost({
    program,
    env,
    surface: "cli",
    stop: () => stop.abort(),
    waitsForOthers: true,
  });
  const { host, listening } = opened;
  const address = {
    port: listening.port,
    version: program.version,
    clientKey: listening.key,
    serverKey: newId().replaceAll("-", "").slice(0, 32),
    owner: identifySelf(),
  };
  const claim = await takeAddress({ file, address, replaces: null });
  if (claim.kind === "taken") {
    await opened.close();
    throw fault("HostTaken", { pid: claim.by.owner.pid });
  }
  try {
    if (before !== null) await killHostLeftovers(before.owner);
    await host.takeOver();
    await host.extensions.takeOver();
    onReady(address.port);
    await waitToLeave({
      ...options,
      isNamed: () => holdsAddress(file, address),
      busy: () => host.busy,
      stop: stop.signal,
    });
    releaseAddress(file, address);
    if (!stop.signal.aborted && signal.aborted) await host.drain();
  } finally {
    releaseAddress(file, address);
    await opened.close();
  }
}

interface LeaveConditions extends Pick<ServeOptions, "signal" | "idleMs"> {
  readonly stop: AbortSignal;
  readonly isNamed: () => boolean;
  readonly busy: () => number;
}

/** Returns when it was asked to leave, another took its place, or nobody needed it for long enough. */
async function waitToLeave({
  signal,
  stop,
  idleMs,
  isNamed,
  busy,
}: LeaveConditions): Promise<void> {
  const asked = AbortSignal.any([signal, stop]);
  let idleSince = performance.now();
  while (!asked.aborted && isNamed()) {
    if (busy() > 0) idleSince = performance.now();
    if (performance.now() - idleSince >= idleMs) return;
    await waitUnlessAborted(Math.min(LOOK_MS, idleMs), asked);
  }
}
