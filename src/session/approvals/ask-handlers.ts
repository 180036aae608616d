// The handlers of a tool's step that no hook of an agent told us of: of what it asks by its own protocol, and of the
// tools of commands.
import type { NewEvent } from "../../core/command/event.ts";
import { monotonicMs } from "../../core/command/time.ts";
import { findDataDir, type Paths } from "../../core/project/paths.ts";
import type { Envelope } from "../../core/step/envelope.ts";
import { NO_DECISION, type StepDecision } from "../../core/step/verdict.ts";
import { decideStep, type StepReader } from "../../hooks/pipeline/decide-step.ts";
import { describeObserved } from "../../hooks/pipeline/event.ts";
import type { HookParts } from "../../hooks/pipeline/hook-call.ts";

export interface HandlerPorts {
  readonly paths: Paths;
  readonly home: string;
  readonly hooks: Pick<HookParts, "loadRules" | "runRule">;
  record(events: readonly NewEvent[]): void;
}

interface HandledStep {
  readonly envelope: Envelope;
  readonly reader: StepReader;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ours, for the record. */
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

export async function askHandlers(
  { paths, home, hooks, record }: HandlerPorts,
  { envelope, reader, root, env, sessionId, signal }: HandledStep,
): Promise<StepDecision> {
  const set = await hooks.loadRules({ paths, root, dataDir: findDataDir(env, home) });
  const { agent, session_id } = envelope;
  const session = { stateDir: paths.stateDir, agent, sessionId: session_id };
  const observed = { envelope, sessionId, decision: NO_DECISION, virtual: null, notes: [] };
  return decideStep(
    {
      ...{ agent: reader, envelope, session, root, home, env, signal },
      startedAt: monotonicMs(),
      runRule: hooks.runRule,
      onAsync: (report) => {
        void report.then((late) => record([describeObserved(observed, late)]));
      },
    },
    set,
  );
}
