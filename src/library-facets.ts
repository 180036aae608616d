// What the library has besides commands: sessions, agents and workflows. Nothing of them is loaded before it is used.
import type { LibraryAgents } from "./agents/library-agents.ts";
import type { JsonValue } from "./core/command/context.ts";
import type { EventType } from "./core/command/event.ts";
import type { Program } from "./core/commands/bundled.ts";
import type { Adjutant, AdjutantOptions } from "./core/dispatch/adjutant.ts";
import type { EventBus } from "./core/dispatch/events.ts";
import { childEnvironment } from "./core/process/environment.ts";
import type { LibrarySessions, SessionWindow as Window } from "./session/library-sessions.ts";
import type { LibraryWorkflows } from "./workflow/library-workflows.ts";

export interface AdjutantLibrary extends Adjutant {
  readonly sessions: LibrarySessions;
  readonly agents: LibraryAgents;
  readonly workflows: LibraryWorkflows;
}

interface LibraryContext {
  readonly program: Program;
  readonly events: EventBus;
  readonly cwd: string;
  readonly env: NonNullable<AdjutantOptions["env"]>;
  readonly dispatch: Adjutant["dispatch"];
  /** Nothing is closed before the work has ended. */
  track<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface OpenedLibrary extends Pick<AdjutantLibrary, "sessions" | "agents" | "workflows"> {
  close(): Promise<void>;
}

export function openLibrary({ events, ...rest }: LibraryContext): OpenedLibrary {
  const { track } = rest;
  const openContext = () => ({
    ...rest,
    env: childEnvironment({ source: rest.env, declared: [], inheritEnv: true }),
  });
  const publish = (
    correlationId: string,
    type: EventType,
    data: Readonly<Record<string, JsonValue>>,
  ) => {
    const facts = { correlationId, sessionId: null, origin: { surface: "library" } } as const;
    events.publish({ time: new Date().toISOString(), type, ...facts, data });
  };
  let opened: Promise<Window> | null = null;
  const openWindow = (): Promise<Window> => {
    opened ??= import("./session/library-sessions.ts").then(
      ({ SessionWindow }) => new SessionWindow(openContext()),
    );
    return opened;
  };
  const agents = async () =>
    (await import("./agents/library-agents.ts")).openAgents({ ...openContext(), publish });
  const workflows = async () =>
    (await import("./workflow/library-workflows.ts")).openWorkflows(rest);
  return {
    sessions: { open: (id) => track(async () => (await openWindow()).open(id)) },
    agents: {
      list: () => track(async () => (await agents()).list()),
      checkAvailability: (name) => track(async () => (await agents()).checkAvailability(name)),
      run: (name, how) => track(async () => (await agents()).run(name, how)),
      normalize: (name, stdout, how) =>
        track(async () => (await agents()).normalize(name, stdout, how)),
    },
    workflows: {
      run: (workflow, how) => track(async () => (await workflows()).run(workflow, how)),
      list: () => track(async () => (await workflows()).list()),
      resume: (run, how) => track(async () => (await workflows()).resume(run, how)),
      stop: (run) => track(async () => (await workflows()).stop(run)),
    },
    close: async () => (await opened)?.close(),
  };
}
