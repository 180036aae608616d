// One Adjutant: the stores, the layers and the dispatcher put together. Every surface stands on this.

import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { AGENT_SIGNS, AGENT_WORDS } from "./agents/roster.ts";
import { bundleCommands } from "./bundled-layer.ts";
import { fault, formatFault } from "./core/command/fault.ts";
import { newId } from "./core/command/new-id.ts";
import { listCommands, resolveCommand } from "./core/command/registry.ts";
import type { Request } from "./core/command/request.ts";
import { VERSION } from "./core/command/version.ts";
import type { Program } from "./core/commands/bundled.ts";
import type {
  Adjutant,
  AdjutantOptions,
  CreateAdjutant,
  DispatchRequest,
} from "./core/dispatch/adjutant.ts";
import type { CommandActions } from "./core/dispatch/dispatch-context.ts";
import { createDispatcher, type Dispatcher } from "./core/dispatch/dispatcher.ts";
import { createCatalog, noticesOf, type ProgramCatalog } from "./core/load/catalog.ts";
import { requireSettings } from "./core/load/layers.ts";
import { currentRuntime } from "./core/load/runtime.ts";
import { isFolder } from "./core/project/files.ts";
import { findPaths, findProjectRoot, type Paths } from "./core/project/paths.ts";
import { openAudit } from "./core/store/audit.ts";
import { openState } from "./core/store/state.ts";
import type { AuditStore, StateStore } from "./core/store/stores.ts";
import { FEATURES, fileKinds } from "./features.ts";
import { createCommandHooks } from "./hooks/pipeline/command-hooks.ts";
import { type AdjutantLibrary, openLibrary } from "./library-facets.ts";
import { ownProgram } from "./own-program.ts";

/**
 * Opens an Adjutant for a folder: its commands, its sessions and the agents of this machine.
 *
 * @example
 * const adjutant = await createAdjutant({ cwd: process.cwd() });
 * await adjutant.close();
 */
export async function createAdjutant(options: AdjutantOptions): Promise<AdjutantLibrary> {
  const { cwd, env = process.env, surface = "library" } = options;
  requireFolder(cwd);
  const { program, catalog, dispatcher, close } = await assemble({ ...options, env });
  const pending = createPendingWork();
  const dispatch: Adjutant["dispatch"] = (request, attachment) =>
    pending.track(() =>
      dispatcher.dispatch(completeRequest(request, { ...options, env, surface }), attachment),
    );
  const library = openLibrary({
    program,
    events: dispatcher.events,
    cwd,
    env,
    dispatch,
    track: pending.track,
  });
  return {
    dispatch,
    sessions: library.sessions,
    agents: library.agents,
    workflows: library.workflows,
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
    close: () => pending.end(() => close(() => library.close())),
  };
}

type AssemblyOptions = Pick<AdjutantOptions, "cwd" | "root"> &
  Required<Pick<AdjutantOptions, "env">>;

interface Assembly {
  readonly program: Program;
  readonly catalog: ProgramCatalog;
  readonly dispatcher: Dispatcher;
  /** Closes the stores, after what stands on them and after the last hook. */
  close(closeLibrary: () => Promise<void>): Promise<void>;
}

/** The parts know each other: commands ask for the program that they are part of, and hooks publish by the dispatcher. */
async function assemble({ cwd, env, root: given }: AssemblyOptions): Promise<Assembly> {
  const home = env.HOME ?? homedir();
  const paths = findPaths(env, home);
  const root = given ?? namedRoot(env) ?? findProjectRoot(cwd);
  const audit = openAudit(paths.stateDir);
  const sessions = openOnce(() => openState(paths.stateDir));
  const bundled = await bundleCommands(() => program);
  const catalog = createCatalog({
    cwd,
    paths,
    root,
    runtime: currentRuntime(AGENT_WORDS),
    bundled,
    fileKinds: fileKinds(() => program),
  });
  const hooks = createCommandHooks({
    ...{ paths, root, home, env },
    publish: (event) => dispatcher.events.publish(event),
  });
  const dispatcher = createDispatcher({
    catalog,
    audit,
    sessions: sessions.get,
    hooks,
    actions: sessionActions(() => program),
    root,
    stateDir: paths.stateDir,
    agentSigns: AGENT_SIGNS,
    now: () => new Date(),
    newId,
  });
  const stores = { audit, sessions: sessions.get };
  const program = makeProgram({ ...paths, ...stores, root, catalog, dispatcher });
  const close: Assembly["close"] = async (closeLibrary) => {
    try {
      await closeLibrary();
      await hooks.settled();
    } finally {
      sessions.close();
      audit.close();
    }
  };
  return { program, catalog, dispatcher, close };
}

/** `context.tool` and `context.agent`; few commands use them, so they are loaded when one does. */
const sessionActions = (program: () => Program): CommandActions => ({
  tool: async (call, name, args) => {
    const { runCommandTool } = await import("./session/actions/run-tool.ts");
    return runCommandTool(program(), call, { name, args });
  },
  agent: async (call, prompt, options) => {
    const { runCommandAgent } = await import("./session/actions/run-command-agent.ts");
    return runCommandAgent(program(), call, { prompt, options });
  },
});

function requireFolder(cwd: string): void {
  if (!isAbsolute(cwd) || !isFolder(cwd))
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

type RequestDefaults = AdjutantOptions & Required<Pick<AdjutantOptions, "env" | "surface">>;

function completeRequest(
  request: DispatchRequest,
  { cwd, env, surface, agent }: RequestDefaults,
): Request {
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

interface PendingWork {
  /** Throws once the end was called for. */
  track<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Closes after the last that is still under way; a second call waits for the same end. */
  end(close: () => void | Promise<void>): Promise<void>;
}

/** Knows what is under way, so that nothing is closed beneath it. */
function createPendingWork(): PendingWork {
  const underWay = new Set<Promise<unknown>>();
  let ended: Promise<void> | null = null;
  return {
    track: async (work) => {
      if (ended !== null) throw new Error("this Adjutant is closed");
      const promise = work();
      underWay.add(promise);
      try {
        return await promise;
      } finally {
        underWay.delete(promise);
      }
    },
    end: (close) => {
      ended ??= Promise.allSettled(underWay).then(close);
      return ended;
    },
  };
}

// The program as its bundled commands see it.

interface ProgramParts extends Paths {
  readonly root: string;
  readonly catalog: ProgramCatalog;
  readonly dispatcher: Dispatcher;
  readonly audit: AuditStore;
  readonly sessions: () => StateStore;
}

function makeProgram({ catalog, dispatcher, ...parts }: ProgramParts): Program {
  return {
    ...parts,
    version: VERSION,
    features: FEATURES,
    entry: ownProgram.program,
    layers: async () => (await catalog.loaded()).layers,
    warnings: async () => (await catalog.loaded()).warnings,
    dispatch: (request, attachment) => dispatcher.dispatch(request, attachment),
    resolve: (name) => catalog.resolve(name),
    load: (entry, at) => catalog.load(entry, at),
    reload: () => catalog.reload(),
    settings: async () => ({ ...requireSettings(await catalog.loaded()) }),
    openCatalog: ownProgram.openCatalog,
    open: openerOn(parts),
    publish: ({ correlationId, session, mode }, type, data) => {
      const facts = { correlationId, sessionId: session.id, origin: { surface: mode } };
      dispatcher.events.publish({ time: new Date().toISOString(), type, ...facts, data });
    },
  };
}

/** Opens Adjutants for other folders on the same state, whatever their environment says of it. */
export const openerOn =
  ({ stateDir, configDir }: Pick<Paths, "stateDir" | "configDir">): CreateAdjutant =>
  ({ env = process.env, ...options }) =>
    createAdjutant({
      ...options,
      env: { ...env, ADJ_STATE_DIR: stateDir, ADJ_CONFIG_DIR: configDir },
    });
