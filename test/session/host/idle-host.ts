// A host that queues and works nothing off.
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { openState } from "../../../src/core/store/state.ts";
import type { HostEvent, SessionHost } from "../../../src/session/host/session-host.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const NO_EVENTS: readonly HostEvent[] = [];

export function openIdleHost(): SessionHost {
  const store = openState(temporaryFolder());
  onTestFinished(() => store.close());
  return {
    send: async ({ sessionId, text, options }) => ({
      kind: "queued",
      turn: store.turns.add("t1", sessionId, text, options),
    }),
    steer: async () => false,
    cancel: async () => false,
    turns: async (sessionId, last) => store.turns.list(sessionId, last),
    questions: async () => store.questions.listOpen(),
    answer: async () => "unknown",
    callExtension: async (name, method, body) => ({ name, method, body }),
    follow: async function* ({ signal, onOpen }) {
      onOpen?.();
      if (!signal.aborted) await once(signal, "abort");
      yield* NO_EVENTS;
    },
    close: async () => undefined,
  };
}
