// One Adjutant: the stores, the layers and the dispatcher put together. Every surface stands on this.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import type { CommandSummary } from "../command/command.ts";
import type { Mode } from "../command/context.ts";
import { fault, formatFault } from "../command/fault.ts";
import { listCommands, type Resolution, resolveCommand } from "../command/registry.ts";
import { findPaths } from "../config/paths.ts";
import { findProjectRoot } from "../config/project-root.ts";
import { createDispatcher } from "../dispatch/dispatcher.ts";
import type { Subscriber } from "../dispatch/event-bus.ts";
import type { Outcome } from "../dispatch/outcome.ts";
import type { Attachment, Request } from "../dispatch/request.ts";
import { createCommandHooks } from "../hooks/command-hooks.ts";
import { currentRuntime } from "../load/runtime.ts";
import { newId } from "../new-id.ts";
import { openAudit } from "../storage/audit.ts";
import { openState } from "../storage/state.ts";
import { createAttendance } from "./attendance.ts";
import { bundleCommands } from "./bundled-layer.ts";
import { createCatalog, noticesOf } from "./catalog.ts";
import { makeProgram } from "./program.ts";

export interface AdjutantOptions {
  /** Absolute, and it must exist. */
  readonly cwd: string;
  /** The environment to work with; this process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly surface?: Mode;
  /** The agent on whose behalf commands run; nobody's by default. */
  readonly agent?: string;
  /** Where the project is not the one around `cwd`: inside an agent it is the one it was started in. */
  readonly root?: string;
}

/** A name with words or an object, or a line as it would be typed. */
export type DispatchRequest = (
  | { readonly name: string; readonly args?: readonly string[] | Readonly<Record<string, unknown>> }
  | { readonly line: string }
) & {
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  readonly correlationId?: string;
};

export interface Adjutant {
  /**
   * Runs a command; every ending is an Outcome.
   *
   * @example
   * const { kind, result } = await adjutant.dispatch({ name: "greet", args: ["Ada"] });
   */
  dispatch(request: DispatchRequest, attachment?: Attachment): Promise<Outcome>;
  readonly registry: {
    list(): Promise<readonly Exclude<Resolution, { kind: "unknown" }>[]>;
    /** What is known of a command, null where none answers to the name. */
    find(name: string): Promise<CommandSummary | null>;
  };
  readonly events: { subscribe(subscriber: Subscriber): () => void };
  /** Lines a person should read before a command runs: trust, files that could not be loaded. */
  notices(name: string): Promise<readonly string[]>;
  /** Waits for what is still running, then closes the stores; to dispatch after it is a mistake that throws. */
  close(): Promise<void>;
}

export async function createAdjutant(options: AdjutantOptions): Promise<Adjutant> {
  const { cwd, env = process.env, surface = "library" } = options;
  requireFolder(cwd);
  const paths = findPaths(env, env.HOME ?? homedir());
  const root = options.root ?? namedRoot(env) ?? findProjectRoot(cwd);
  const audit = openAudit(paths.stateDir);
  const sessions = openOnce(() => openState(paths.stateDir));
  const bundled = await bundleCommands(() => program);
  const catalog = createCatalog({ cwd, paths, root, runtime: currentRuntime(), bundled });
  const hooks = createCommandHooks({
    paths,
    root,
    home: env.HOME ?? homedir(),
    env,
    publish: (event) => dispatcher.events.publish(event),
  });
  const dispatcher = createDispatcher({
    catalog,
    audit,
    sessions: sessions.get,
    hooks,
    root,
    now: () => new Date(),
    newId,
  });
  const program = makeProgram({
    ...paths,
    root,
    catalog,
    dispatcher,
    audit,
    sessions: sessions.get,
  });
  const attendance = createAttendance();
  return {
    dispatch: (request, attachment) =>
      attendance.attend(() =>
        dispatcher.dispatch(complete(request, { ...options, env, surface }), attachment),
      ),
    registry: {
      list: async () => listCommands((await catalog.loaded()).layers),
      find: async (name) => {
        const found = resolveCommand((await catalog.loaded(name)).layers, name);
        return found.kind === "found" ? found.entry.summary : null;
      },
    },
    events: { subscribe: dispatcher.events.subscribe },
    notices: async (name) => {
      const loaded = await catalog.loaded(name);
      return noticesOf(loaded, resolveCommand(loaded.layers, name)).map(formatFault);
    },
    close: () =>
      attendance.end(async () => {
        try {
          await hooks.settled();
        } finally {
          sessions.close();
          audit.close();
        }
      }),
  };
}

function requireFolder(cwd: string): void {
  const isFolder =
    isAbsolute(cwd) && (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (!isFolder)
    throw fault("InputInvalid", {
      what: "the working directory",
      problem: `\`${cwd}\` is not a folder`,
    });
}

/** Most commands never touch the session, so its store is opened when one does. */
function openOnce<Store extends { close(): void }>(open: () => Store) {
  let store: Store | null = null;
  return {
    get: (): Store => {
      store ??= open();
      return store;
    },
    close: () => store?.close(),
  };
}

/** Set by the shims of an agent's session, for which `cd` changes nothing about whose guards count. */
function namedRoot({ ADJ_PROJECT_ROOT }: NonNullable<AdjutantOptions["env"]>): string | null {
  return ADJ_PROJECT_ROOT && isAbsolute(ADJ_PROJECT_ROOT) ? ADJ_PROJECT_ROOT : null;
}

type Place = AdjutantOptions & Required<Pick<AdjutantOptions, "env" | "surface">>;

function complete(request: DispatchRequest, { cwd, env, surface, agent }: Place): Request {
  const { sessionId = env.ADJ_SESSION_ID, signal, correlationId } = request;
  return {
    command:
      "line" in request ? { line: request.line } : { name: request.name, args: request.args ?? [] },
    origin: { surface, ...(agent === undefined ? {} : { agent }) },
    cwd,
    env,
    ...(sessionId ? { sessionId } : {}),
    ...(signal === undefined ? {} : { signal }),
    ...(correlationId === undefined ? {} : { correlationId }),
  };
}
