// The session of a dispatch: its lease, the command's bound view of it, and the events of what changed.
import { untilAborted } from "../command/cancellation.ts";
import type { JsonValue, SessionAccessor, SessionSlot, SessionState } from "../command/context.ts";
import type { CommandSummary } from "../command/definition.ts";
import type { NewEvent } from "../command/event.ts";
import { fault } from "../command/fault.ts";
import { shapeOf } from "../command/recorded-arguments.ts";
import { maskSecrets } from "../secrets/mask.ts";
import type { Lease, SessionChange } from "../store/stores.ts";
import { holdBetweenTurns, untilBetweenTurns } from "./between-turns.ts";
import type { Dispatch, DispatchContext, SessionLease } from "./dispatch-context.ts";

/** A project's own session has an id that follows from its root, so naming it needs no store. */
export const sessionOfRoot = (root: string): string => `project:${root}`;

export function openLease(dispatch: Dispatch, summary: CommandSummary): SessionLease {
  const { ports, facts, scope, turn, inherited } = dispatch;
  const { effect, holdLeaseWhileAsking } = summary;
  const { sessionId } = facts;
  const lent = inherited?.held ?? null;
  const isExclusive = effect === "exclusive" && inherited?.isBetweenTurns !== true;
  let own: Lease | null = null;
  let between: Lease | null = null;
  return {
    get held() {
      return between ?? lent ?? own;
    },
    get isBetweenTurns() {
      return between !== null || inherited?.isBetweenTurns === true;
    },
    isKept: holdLeaseWhileAsking || (lent !== null && inherited?.isKept === true),
    async acquire() {
      if (isExclusive) await untilBetweenTurns(dispatch, summary);
      if (isExclusive && lent !== null) between = await holdBetweenTurns(dispatch, summary, lent);
      if (effect === "read" || lent !== null) return;
      const sessions = ports.sessions();
      sessions.ensure(sessionId, ports.root);
      if (turn !== null) await untilAborted(turn.before, scope.signal);
      const acquired = sessions.acquire(sessionId, scope.signal);
      turn?.markQueued();
      own = await acquired;
      if (isExclusive) between = await holdBetweenTurns(dispatch, summary, own);
    },
    release: () => {
      try {
        between?.release();
      } finally {
        own?.release();
      }
    },
  };
}

interface SessionBinding {
  readonly accessor: SessionAccessor;
  /** Writes what was staged, in one transaction under the lease. */
  commit(): void;
}

/** What a command sees of its session: snapshots, and changes that are staged until it succeeds. */
export function bindSession(context: DispatchContext): SessionBinding {
  const { sessionId } = context.facts;
  const { name } = context.command.summary;
  const store = context.ports.sessions;
  const state = stageChanges(() => {
    const sessions = store();
    // What is attached is known by its stage: its owner writes it, no command.
    const workflow = sessions.stages.read(sessionId)?.workflow ?? null;
    return { ...sessions.read(sessionId), workflow };
  });
  const slot = stageChanges<JsonValue | undefined>(() => store().readSlot(sessionId, name));
  return {
    accessor: {
      id: sessionId,
      get: async () => state.read(),
      async update(change, options) {
        requireLease(context);
        const next = change(state.read());
        if (options?.now) {
          const before = state.readStored();
          writeChange(context, before, { state: change(before) });
        } else state.add(change);
        return next;
      },
      slot: (wanted = name) => openSlot(context, slot, wanted),
    },
    commit: () => {
      if (!state.isChanged && !slot.isChanged) return;
      const value = slot.isChanged ? slot.read() : undefined;
      writeChange(context, state.readStored(), {
        ...(state.isChanged ? { state: state.read() } : {}),
        ...(value === undefined ? {} : { slots: new Map([[name, value]]) }),
      });
    },
  };
}

function openSlot(
  context: DispatchContext,
  slot: StagedChanges<JsonValue | undefined>,
  wanted: string,
): SessionSlot {
  const { name } = context.command.summary;
  if (wanted !== name) {
    context.note("AccessDenied", { what: `slot ${wanted}`, by: name });
    throw fault("SlotAccessDenied", { command: name, slot: wanted });
  }
  return {
    get: async () => slot.read(),
    async update(change, options) {
      const lease = requireLease(context);
      const next = change(slot.read());
      if (options?.now) {
        const slots = new Map([[name, change(slot.readStored())]]);
        context.ports.sessions().commit(lease, { slots });
      } else slot.add(change);
      return next;
    },
  };
}

function requireLease({ command: { summary }, lease }: DispatchContext): Lease {
  if (summary.effect !== "read" && lease.held !== null) return lease.held;
  const hint = 'declare `effect: "write"`';
  throw fault("LeaseRequired", { command: summary.name }, { hint });
}

function writeChange(context: DispatchContext, before: SessionState, change: SessionChange): void {
  context.ports.sessions().commit(requireLease(context), change);
  for (const { type, data } of sessionChanges(before, change.state ?? before))
    context.note(type, data);
}

interface StagedChanges<Value> {
  readonly isChanged: boolean;
  readStored(): Value;
  /** What the store has now, with the changes on top. */
  read(): Value;
  add(change: (value: Value) => Value): void;
}

/**
 * A change is applied when it is made, to find its errors, and again at the commit on the value of that moment:
 * while a person was asked, another command may have changed the session.
 */
function stageChanges<Value>(readStored: () => Value): StagedChanges<Value> {
  const changes: ((value: Value) => Value)[] = [];
  return {
    get isChanged() {
      return changes.length > 0;
    },
    readStored,
    read: () => changes.reduce((value, change) => change(value), readStored()),
    add: (change) => {
      changes.push(change);
    },
  };
}

type Change = Pick<NewEvent, "type" | "data">;

const mask = (value: string | null): string | null => (value === null ? null : maskSecrets(value));
const shape = (value: JsonValue | undefined): string =>
  value === undefined ? "unset" : shapeOf(value);

/** What a committed change of the session is announced as. Values of params appear as shapes only. */
export function sessionChanges(before: SessionState, after: SessionState): Change[] {
  const changes: Change[] = [];
  if (before.agent !== after.agent)
    changes.push({
      type: "ProviderChanged",
      data: { from: mask(before.agent), to: mask(after.agent) },
    });
  if (before.model !== after.model)
    changes.push({
      type: "ModelChanged",
      data: { from: mask(before.model), to: mask(after.model) },
    });
  if (before.mode !== after.mode)
    changes.push({ type: "ModeChanged", data: { from: before.mode, to: after.mode } });
  const paths = new Set([...Object.keys(before.params), ...Object.keys(after.params)]);
  for (const path of [...paths].sort()) {
    const [from, to] = [before.params[path], after.params[path]];
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    const redactedDelta = { from: shape(from), to: shape(to) };
    changes.push({
      type: "ParamsChanged",
      data: { paramPath: maskSecrets(path), sourceLayer: "session", redactedDelta },
    });
  }
  return changes;
}
