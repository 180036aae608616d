// A tool call may reach us more than once: by the agent's own question, by its hook before a tool and before a
// permission, by the hook of this run and by an installed one. It is one call, decided once.
import type { ToolArguments } from "../../core/step/envelope.ts";

export interface ToolCallKey {
  readonly runId: string;
  readonly agent: string;
  /** The agent's id of the call; null where it gives none. */
  readonly callId: string | null;
  readonly tool: string;
  readonly args: ToolArguments;
}

/** Something that is being decided about a call, and ends with the arguments that may run. */
interface Deciding {
  readonly decided: Promise<{ readonly args: ToolArguments }>;
}

interface KnownCall<Work> {
  readonly key: ToolCallKey;
  readonly seen: Set<string>;
  readonly work: Work;
  /** The arguments that were approved; the original ones until that is known. */
  approved: string;
}

export interface KnownCalls<Work extends Deciding> {
  /** What is decided of this call, which came another way before; null where it is a new one. */
  find(key: ToolCallKey, channel: string): Work | null;
  /** A call comes at most once by each channel; the next one like it is another. */
  add(key: ToolCallKey, channel: string, work: Work): void;
  /** The call has run, or never will. */
  forget(key: ToolCallKey): void;
  /** The turn of the run is over. */
  endTurn(runId: string): void;
}

/** Calls that nobody said the end of are dropped, the oldest first. */
const MAX_CALLS = 500;

export function createKnownCalls<Work extends Deciding>(): KnownCalls<Work> {
  let calls: KnownCall<Work>[] = [];
  return {
    find: (key, channel) => {
      // The newest comes first: an older one like it was answered and has run.
      const found = calls.findLast((call) => !call.seen.has(channel) && isSameCall(call, key));
      found?.seen.add(channel);
      return found?.work ?? null;
    },
    add: (key, channel, work) => {
      const call = { key, seen: new Set([channel]), work, approved: canonical(key.args) };
      calls = [...calls, call].slice(-MAX_CALLS);
      work.decided.then(
        ({ args }) => {
          call.approved = canonical(args);
        },
        // Who waits for it is told.
        () => undefined,
      );
    },
    forget: (key) => {
      const at = calls.findIndex((call) => isSameCall(call, key));
      if (at >= 0) calls = calls.toSpliced(at, 1);
    },
    endTurn: (runId) => {
      calls = calls.filter((call) => call.key.runId !== runId);
    },
  };
}

/** Arguments that are neither what was asked about nor what was approved make another call of it. */
function isSameCall<Work>({ key: known, approved }: KnownCall<Work>, key: ToolCallKey): boolean {
  if (known.runId !== key.runId || known.agent !== key.agent || known.tool !== key.tool)
    return false;
  if (known.callId !== null && key.callId !== null && known.callId !== key.callId) return false;
  const args = canonical(key.args);
  return args === approved || args === canonical(known.args);
}

/** The same text for equal arguments, whatever the order of their names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`;
}
