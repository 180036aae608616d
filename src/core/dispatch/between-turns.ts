// `exclusive` commands run between turns: they wait for the one under way, and are refused from inside it.
import { setTimeout as wait } from "node:timers/promises";
import { untilAborted } from "../command/cancellation.ts";
import type { CommandSummary } from "../command/definition.ts";
import { fault } from "../command/fault.ts";
import { readAncestry } from "../process/ancestors.ts";
import type { Lease } from "../store/stores.ts";
import type { TurnUnderWay } from "../store/turns.ts";
import type { Dispatch } from "./dispatch-context.ts";

/** Between two looks at the turn: short for a person, and nothing for the disk. */
const POLL_MS = 50;

const findTurn = ({ ports, facts }: Dispatch): TurnUnderWay | null =>
  ports.sessions().turns.findUnderWay(facts.sessionId);

const isInTurn = (dispatch: Dispatch): boolean => findTurn(dispatch) !== null;

/**
 * The session's lease, and with it that no turn begins: both are given back while a person is asked. It is always the
 * lease that is taken first, so that two commands never wait for each other.
 */
export async function holdBetweenTurns(
  dispatch: Dispatch,
  command: CommandSummary,
  lease: Lease,
): Promise<Lease> {
  const { ports, facts, scope } = dispatch;
  const between = await ports.sessions().acquireBetweenTurns(facts.sessionId, scope.signal);
  const held: Lease = {
    sessionId: lease.sessionId,
    get generation() {
      return lease.generation;
    },
    pause: () => {
      between.pause();
      lease.pause();
    },
    resume: async (signal) => {
      for (;;) {
        await lease.resume(signal);
        await between.resume(signal);
        if (!isInTurn(dispatch)) return;
        held.pause();
        await untilBetweenTurns(dispatch, command);
      }
    },
    release: () => between.release(),
  };
  // A turn may have begun while others had the lease.
  try {
    await held.resume(scope.signal);
  } catch (error) {
    between.release();
    throw error;
  }
  return held;
}

/** Rejects with the signal's reason; what waits here keeps nobody else waiting. */
export async function untilBetweenTurns(
  dispatch: Dispatch,
  { name }: CommandSummary,
): Promise<void> {
  const first = findTurn(dispatch);
  if (first === null) return;
  const { number } = first.turn;
  if (isInside(dispatch, first)) {
    const hint = "run it when the turn has ended";
    throw fault("TurnActive", { command: name, turn: number }, { hint });
  }
  dispatch.turn?.markQueued();
  dispatch.attachment.onProgress?.(`${name} waits for turn ${number} to end`);
  while (isInTurn(dispatch)) await untilAborted(wait(POLL_MS), dispatch.scope.signal);
}

/** Whoever waited for the turn that it belongs to would wait for ever. Variables can be taken away, ancestors cannot. */
function isInside({ request: { env } }: Dispatch, { turn, pid }: TurnUnderWay): boolean {
  if (env.ADJ_TURN_ID === turn.id) return true;
  if (turn.runId !== null && env.ADJ_RUN_ID === turn.runId) return true;
  return readAncestry()
    .chain.slice(1)
    .some((above) => above.pid === pid);
}
