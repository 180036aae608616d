// Agents as the library has them: looked for, run and read by the same code as `adj agent`.
import { resolve } from "node:path";
import type { JsonValue } from "../core/command/context.ts";
import type { EventType } from "../core/command/event.ts";
import type { Program } from "../core/commands/bundled.ts";
import { freezeDeep } from "../core/project/json-value.ts";
import type { AgentCard } from "./choice/choice.ts";
import { inspectAgents } from "./commands/list.ts";
import { guardProject } from "./commands/project-guard.ts";
import type { LogEvent } from "./log/event.ts";
import { makeRunFolder, saveLog } from "./log/run-files.ts";
import type { RunLog } from "./log/run-log.ts";
import { requireAdapter } from "./roster.ts";
import {
  type AgentSearch,
  type Availability,
  checkAvailability,
  locateAgent,
  searchFor,
} from "./run/availability.ts";
import { performRun } from "./run/command-run.ts";
import { pickEnvironment } from "./run/login.ts";
import { type NormalizeOptions, normalizeOutput } from "./run/output/read.ts";
import { DEFAULT_TIMEOUT_MS } from "./run/run-agent.ts";

export interface LibraryRunOptions {
  readonly prompt?: string;
  readonly model?: string;
  /** Further fields of the agent's configuration, as `--set` takes them: `max_turns`, `cassette`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder to work in, below the Adjutant's own where it is relative. */
  readonly workspaceDir?: string;
  /** Milliseconds; five minutes by default, 0 for no limit. */
  readonly timeout?: number;
  /** Further tries after a rate limit, an overload or a network failure. */
  readonly retries?: number;
  readonly signal?: AbortSignal;
  /** What the agent does, as it does it. */
  readonly onEvent?: (event: LogEvent) => void;
}

export interface LibraryAgents {
  /**
   * Every known agent: whether it is here, its version, its login, what it can do.
   *
   * @example
   * const here = (await adjutant.agents.list()).filter(({ available }) => available);
   */
  list(): Promise<readonly (AgentCard & Availability)[]>;
  /**
   * Whether an agent can be run here. A program that is missing is an answer, not an error.
   *
   * @example
   * const { available, problem } = await adjutant.agents.checkAvailability("codex");
   */
  checkAvailability(name: string): Promise<Availability>;
  /**
   * Runs an agent once, apart from any session, and keeps its log. A run that fails is a log that says so.
   *
   * @example
   * const log = await adjutant.agents.run("replay", { settings: { cassette: "explain-repository" } });
   * console.log(log.execution.status, log.usage.total_tokens);
   */
  run(name: string, options: LibraryRunOptions): Promise<RunLog>;
  /**
   * Turns what an agent's program printed, here or elsewhere, into a log.
   *
   * @example
   * const log = await adjutant.agents.normalize("claude-code", stdout, { exitCode: 0 });
   */
  normalize(
    name: string,
    stdout: string | Uint8Array | Iterable<Uint8Array>,
    options?: NormalizeOptions,
  ): Promise<RunLog>;
}

interface AgentsContext {
  readonly program: Program;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Puts an event on record; the run's id is what such events share. */
  publish(runId: string, type: EventType, data: Readonly<Record<string, JsonValue>>): void;
}

export function openAgents(context: AgentsContext): LibraryAgents {
  const { program, cwd, env } = context;
  const openSearch = async (): Promise<AgentSearch> => ({
    env,
    cwd,
    settings: await program.settings(),
  });
  return {
    list: async () => inspectAgents(await openSearch()),
    checkAvailability: async (name) => {
      const adapter = await requireAdapter(name);
      return checkAvailability(adapter, searchFor(adapter, await openSearch()));
    },
    run: async (name, options) =>
      runOnce(name, options, { ...context, search: await openSearch() }),
    normalize: async (name, stdout, options = {}) => {
      const pieces = typeof stdout === "string" ? Buffer.from(stdout) : stdout;
      return normalizeOutput(await requireAdapter(name), pieces, options);
    },
  };
}

async function runOnce(
  name: string,
  options: LibraryRunOptions,
  { program, publish, search }: AgentsContext & { readonly search: AgentSearch },
): Promise<RunLog> {
  const adapter = await requireAdapter(name);
  const located = await locateAgent(adapter, search);
  const { runId, logDir } = makeRunFolder(program.stateDir);
  const env = pickEnvironment(adapter, search.env);
  const workspaceDir = resolve(search.cwd, options.workspaceDir ?? ".");
  const guarded = {
    agent: adapter.name,
    workspaceDir,
    env,
    allowHooksOff: false,
    projectSettings: false,
  };
  const write = async (chunk: string | Uint8Array) => {
    const message = Buffer.from(chunk).toString().trim();
    publish(runId, "Diagnostic", { code: "Agent", where: name, message });
  };
  const leftOut = await guardProject(guarded, { context: { write }, program });
  const request = {
    config: describeConfig(options),
    workspaceDir,
    timeout: options.timeout ?? DEFAULT_TIMEOUT_MS,
    env,
    runId,
    logDir,
    ...located,
    ...leftOut,
  };
  const { signal, retries = 0, onEvent } = options;
  const { log } = await performRun(adapter, request, {
    retries,
    ...(signal === undefined ? {} : { signal }),
    onEvent: (event) => onEvent?.(freezeDeep(structuredClone(event))),
    publish: (type, data) => publish(runId, type, data),
    keepLog: (keptLog) => {
      saveLog(logDir, keptLog);
    },
  });
  return log;
}

const describeConfig = ({ prompt, model, settings }: LibraryRunOptions) => ({
  ...settings,
  ...(prompt === undefined ? {} : { prompt }),
  ...(model === undefined ? {} : { model }),
});
