// A command's bound view of one session: snapshots, and changes staged until the command succeeds.
import { fault } from "../command/fault.ts";
import type {
  JsonValue,
  SessionAccessor,
  SessionState,
  UpdateOptions,
} from "../command/session-access.ts";
import type { Lease, SessionStore } from "../storage/stores.ts";

export interface SessionBinding {
  readonly accessor: SessionAccessor;
  /** Writes what was staged, in one transaction under the lease. */
  commit(): void;
}

export interface BindingFacts {
  readonly sessionId: string;
  readonly command: string;
  readonly store: () => SessionStore;
  readonly lease: Lease | null;
  readonly onSlotDenied: (slot: string) => void;
  /** After each commit that changed the state. */
  readonly onChanged: (before: SessionState, after: SessionState) => void;
}

export function bindSession(facts: BindingFacts): SessionBinding {
  const { sessionId, command, store, lease } = facts;
  const stateChanges: ((state: SessionState) => SessionState)[] = [];
  const slotChanges: ((value: JsonValue | undefined) => JsonValue)[] = [];

  const readState = () =>
    stateChanges.reduce((state, change) => change(state), store().read(sessionId));
  const readSlot = () =>
    slotChanges.reduce<JsonValue | undefined>(
      (value, change) => change(value),
      store().readSlot(sessionId, command),
    );
  const requireLease = (): Lease => {
    if (lease === null)
      throw fault("LeaseRequired", { command }, { hint: 'declare `effect: "write"`' });
    return lease;
  };

  const writeState = (held: Lease, change: (state: SessionState) => SessionState) => {
    const before = store().read(sessionId);
    const after = change(before);
    store().commit(held, { state: after });
    facts.onChanged(before, after);
  };

  // The change is applied at once to find its errors, and again at the commit on the state of that moment:
  // while a person was asked, another command may have changed the session.
  const updateState = (change: (state: SessionState) => SessionState, options?: UpdateOptions) => {
    const held = requireLease();
    const next = change(readState());
    if (!options?.now) stateChanges.push(change);
    else writeState(held, change);
    return next;
  };
  const updateSlot = (
    change: (value: JsonValue | undefined) => JsonValue,
    options?: UpdateOptions,
  ) => {
    const held = requireLease();
    const next = change(readSlot());
    if (options?.now) {
      const value = change(store().readSlot(sessionId, command));
      store().commit(held, { slots: new Map([[command, value]]) });
    } else slotChanges.push(change);
    return next;
  };

  return {
    accessor: {
      id: sessionId,
      get: async () => readState(),
      update: async (change, options) => updateState(change, options),
      slot: (name = command) => {
        if (name !== command) {
          facts.onSlotDenied(name);
          throw fault("SlotAccessDenied", { command, slot: name });
        }
        return {
          get: async () => readSlot(),
          update: async (change, options) => updateSlot(change, options),
        };
      },
    },
    commit: () => {
      if (stateChanges.length === 0 && slotChanges.length === 0) return;
      const slot = slotChanges.length === 0 ? undefined : readSlot();
      const [before, after] = [store().read(sessionId), readState()];
      store().commit(requireLease(), {
        ...(stateChanges.length === 0 ? {} : { state: after }),
        ...(slot === undefined ? {} : { slots: new Map([[command, slot]]) }),
      });
      facts.onChanged(before, after);
    },
  };
}
