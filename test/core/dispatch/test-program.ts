// A program for tests: real stores in a temporary folder, commands in memory, the real dispatcher.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { $ZodType } from "zod/v4/core";
import { AGENT_SIGNS } from "../../../src/agents/roster.ts";
import type { Command, CommandSummary } from "../../../src/core/command/definition.ts";
import { describeArguments } from "../../../src/core/command/describe-arguments.ts";
import type { EventType, StoredEvent } from "../../../src/core/command/event.ts";
import type { FaultReport } from "../../../src/core/command/fault.ts";
import type { Catalog } from "../../../src/core/command/registry.ts";
import {
  LAYERS,
  type LayerEntry,
  layerOf,
  resolveCommand,
} from "../../../src/core/command/registry.ts";
import type { Attachment, Origin, Outcome, Request } from "../../../src/core/command/request.ts";
import { ok } from "../../../src/core/command/result.ts";
import type { CommandHooks } from "../../../src/core/dispatch/dispatch-context.ts";
import { createDispatcher, type Dispatcher } from "../../../src/core/dispatch/dispatcher.ts";
import { openAudit } from "../../../src/core/store/audit.ts";
import { openState } from "../../../src/core/store/state.ts";
import type { AuditStore, StateStore } from "../../../src/core/store/stores.ts";
import { summaryOf } from "../command/command-summary.ts";

export type Handler = Command["run"];

export interface TestCommand extends Partial<Omit<CommandSummary, "name" | "schema">> {
  readonly layer?: "bundled" | "user";
  readonly args?: $ZodType;
  readonly parseArgs?: (line: string) => unknown;
  /** Why the command cannot be loaded. */
  readonly broken?: FaultReport;
  /** Finding the command takes until this is done. */
  readonly finding?: Promise<void>;
  /** Loading the command takes until this is done. */
  readonly loading?: Promise<void>;
  readonly run?: Handler;
}

export interface Sending extends Attachment {
  readonly surface?: Origin["surface"];
  readonly agent?: string;
  readonly env?: Request["env"];
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  readonly correlationId?: string;
}

export interface TestProgram {
  readonly stateDir: string;
  readonly dispatcher: Dispatcher;
  readonly audit: AuditStore;
  readonly sessions: StateStore;
  /** Dispatches a line, or a name with ready arguments. */
  send(command: string | Request["command"], sending?: Sending): Promise<Outcome>;
  events(...types: EventType[]): StoredEvent[];
  close(): void;
}

export interface ProgramParts {
  /** The state folder of another program; by default one of its own. */
  readonly stateDir?: string;
  readonly hooks?: CommandHooks;
  readonly audit?: (audit: AuditStore) => AuditStore;
}

export const SESSION = "test-session";

/** The caller closes it. */
export function startProgram(
  commands: Readonly<Record<string, TestCommand>>,
  parts: ProgramParts = {},
): TestProgram {
  const stateDir = parts.stateDir ?? mkdtempSync(join(tmpdir(), "adj-dispatch-"));
  const audit = openAudit(stateDir);
  const sessions = openState(stateDir);
  const dispatcher = createDispatcher({
    catalog: catalogOf(commands),
    audit: parts.audit?.(audit) ?? audit,
    sessions: () => sessions,
    hooks: parts.hooks ?? null,
    root: stateDir,
    agentSigns: AGENT_SIGNS,
    now: () => new Date(),
    newId: randomUUID,
  });
  return {
    stateDir,
    dispatcher,
    audit,
    sessions,
    send: (command, sending = {}) =>
      dispatcher.dispatch(requestOf(stateDir, command, sending), sending),
    events: (...types) => [...audit.read(types.length === 0 ? {} : { types })],
    close: () => {
      sessions.close();
      audit.close();
      rmSync(stateDir, { recursive: true });
    },
  };
}

function requestOf(cwd: string, command: string | Request["command"], sending: Sending): Request {
  const { surface = "library", agent, env = {}, sessionId = SESSION } = sending;
  const { signal, correlationId } = sending;
  return {
    command: typeof command === "string" ? { line: command } : command,
    origin: { surface, ...(agent === undefined ? {} : { agent }) },
    cwd,
    env,
    sessionId,
    ...(signal === undefined ? {} : { signal }),
    ...(correlationId === undefined ? {} : { correlationId }),
  };
}

function catalogOf(commands: Readonly<Record<string, TestCommand>>): Catalog {
  const loaded = new Map(
    Object.entries(commands).map(([name, one]) => [name, makeCommand(name, one)]),
  );
  const layers = LAYERS.map((layer) => {
    const own = Object.entries(commands).filter(([, one]) => (one.layer ?? "user") === layer);
    return layerOf(
      layer,
      own.map(([name, one]) => entryOf(name, one, loaded.get(name))),
    );
  });
  return {
    resolve: async (name) => {
      await commands[name]?.finding;
      return resolveCommand(layers, name);
    },
    load: async ({ name }) => {
      await commands[name]?.loading;
      const command = loaded.get(name);
      if (command === undefined) throw new Error(`${name} is not there`);
      return command;
    },
  };
}

function makeCommand(name: string, one: TestCommand): Command {
  const { layer: _, finding: _finding, loading: _loading, broken: _broken, ...known } = one;
  const { args, parseArgs, run, ...declared } = known;
  const schema = args === undefined ? null : describeArguments(args);
  return {
    summary: summaryOf(name, { ...declared, schema }),
    args: args ?? null,
    parseArgs: parseArgs ?? null,
    run: run ?? (() => ok()),
  };
}

function entryOf(name: string, { broken }: TestCommand, command: Command | undefined): LayerEntry {
  const file = `${name}.ts`;
  if (broken !== undefined) return { kind: "broken", name, file, fault: broken };
  return { kind: "command", name, file, summary: command?.summary ?? summaryOf(name) };
}
