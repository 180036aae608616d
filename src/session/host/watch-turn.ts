// A prompt on its way from a window: watched before it is sent, so that nothing of its turn passes unseen.
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { HostEvent, SendRequest, SessionHost } from "./session-host.ts";

export interface WatchedTurn {
  /** As it was queued. */
  readonly turn: Turn;
  /** Hands on what concerns this turn, in order; gives the turn as it ended. */
  untilEnded(show: (event: HostEvent) => void | Promise<void>): Promise<Turn>;
  /** The turn goes on without this window. */
  leave(): Promise<void>;
}

/** `hint` is what to do where the host goes away before the turn has ended. */
export const sendWatched = (
  host: SessionHost,
  request: SendRequest,
  hint = "`adj send` goes on with the conversation",
): Promise<WatchedTurn> =>
  watchTurn(host, {
    sessionId: request.sessionId,
    fromStart: false,
    hint,
    begin: async () => {
      const sent = await host.send(request);
      if (sent.kind === "refused") throw fault("SessionBusy", { problem: sent.problem });
      return sent.turn;
    },
  });

/** A turn that somebody else sent, from its beginning. */
export const watchRunning = (host: SessionHost, turn: Turn, hint: string): Promise<WatchedTurn> =>
  watchTurn(host, {
    sessionId: turn.sessionId,
    fromStart: true,
    hint,
    begin: async () => {
      const turns = await host.turns(turn.sessionId, MAX_BEHIND);
      return turns.find(({ id }) => id === turn.id) ?? turn;
    },
  });

/** So many may have been queued behind it meanwhile. */
const MAX_BEHIND = 50;

interface Watch {
  readonly sessionId: string;
  readonly fromStart: boolean;
  readonly hint: string;
  /** Called when nothing is missed any more; gives the turn. */
  readonly begin: () => Promise<Turn>;
}

async function watchTurn(
  host: SessionHost,
  { sessionId, fromStart, hint, begin }: Watch,
): Promise<WatchedTurn> {
  const stop = new AbortController();
  const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>();
  const follow = { sessionId, fromStart, signal: stop.signal, onOpen };
  const events = host.follow(follow)[Symbol.asyncIterator]();
  const first = events.next();
  // Who waits for it is told; until then it may fail unheard.
  first.catch(() => undefined);
  const leave = async () => {
    stop.abort();
    await first.catch(() => undefined);
  };
  const watching = Promise.race([opened, first]);
  const turn = await watching.then(begin).catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  return {
    turn,
    leave,
    untilEnded: async (show) => {
      if (turn.endedAt !== null) return turn;
      for (let next = await first; next.done !== true; next = await events.next()) {
        const event = next.value;
        // The session itself cannot go on.
        if (event.kind === "notice" && event.turnId === "")
          throw fault("HostUnreachable", { problem: event.text });
        if (turnOf(event) !== turn.id) continue;
        await show(event);
        if (event.kind === "turn" && event.turn.endedAt !== null) return event.turn;
      }
      throw fault("HostUnreachable", { problem: "it went away before the turn ended" }, { hint });
    },
  };
}

/** The id of the turn that an event is about; null where it is about none. */
function turnOf(event: HostEvent): string | null {
  switch (event.kind) {
    case "event":
      return event.event.correlationId;
    case "turn":
      return event.turn.id;
    case "question":
      return event.question.turnId;
    case "progress":
    case "notice":
      return event.turnId;
    case "extension":
      return null;
  }
}

// What a turn that has ended means for the one who sent it.

/** Throws where it did not come to an answer. */
export function concludeTurn(turn: Turn): CommandResult {
  const { id, number, agent, model, runId, conversation, answer, problem, status } = turn;
  const metadata = { turn: id, number, status, agent, model, runId, conversation };
  if (status === "done") return ok(answer ?? "", metadata);
  const hint = runId === null ? {} : { hint: `see \`adj agent log ${runId}\`` };
  if (status === "cancelled") throw fault("TurnCancelled", { number });
  throw fault(
    "AgentRunFailed",
    { agent, problem: problem?.message ?? "the turn failed" },
    {
      partial: { output: answer ?? "", metadata },
      ...hint,
      ...(problem === null ? {} : { reportedCode: problem.code }),
      ...(problem?.exitCode === undefined ? {} : { exitCode: problem.exitCode }),
    },
  );
}
