// Looks now and then whether commands were added, changed or taken away since a client was told of them.
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import type { Connection } from "./host-calls.ts";
import { describeOffer } from "./server.ts";

/** Between two looks at the files that define commands. */
const LOOK_MS = 2_000;

interface OfferWatch {
  /** What a client was just told. */
  note(offer: string): void;
  /** Looks for changes until the signal fires. */
  run(connection: Connection, signal: AbortSignal): Promise<void>;
}

export function createOfferWatch(onChange: () => Promise<void>): OfferWatch {
  let known: string | null = null;
  return {
    note: (offer) => {
      known = offer;
    },
    run: async (connection, signal) => {
      while (!signal.aborted) {
        await waitUnlessAborted(LOOK_MS, signal, { ref: false });
        if (signal.aborted) return;
        const before = known;
        // A layer that cannot be read now is looked at again.
        const now = await describeOffer(connection).catch(() => before);
        // A client that is leaving need not hear of it.
        if (before !== null && now !== before) await onChange().catch(() => undefined);
        known = now;
      }
    },
  };
}
