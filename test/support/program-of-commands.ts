// A small program around the bundled commands: real dispatcher, real stores, real folders.

import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { AGENT_SIGNS } from "../../src/agents/roster.ts";
import { commandOf } from "../../src/bundled-summaries.ts";
import type { CommandDefinition } from "../../src/core/command/definition.ts";
import type { FaultReport } from "../../src/core/command/fault.ts";
import {
  type Layer,
  type LayerEntry,
  type LayerName,
  layerOf,
  resolveCommand,
} from "../../src/core/command/registry.ts";
import type { Attachment, Interactor, Origin, Outcome } from "../../src/core/command/request.ts";
import type { Program } from "../../src/core/commands/bundled.ts";
import { createDispatcher } from "../../src/core/dispatch/dispatcher.ts";
import type { ReloadReport } from "../../src/core/load/catalog.ts";
import { readText } from "../../src/core/project/files.ts";
import { mergeSettings, type SettingsScope } from "../../src/core/project/settings.ts";
import { parseSettings } from "../../src/core/project/settings-file.ts";
import { openAudit } from "../../src/core/store/audit.ts";
import { openState } from "../../src/core/store/state.ts";
import { FEATURES, loadAllBundled } from "../../src/features.ts";
import { ownProgram } from "../../src/own-program.ts";
import { openerOn } from "../../src/program.ts";
import { runCommandAgent } from "../../src/session/actions/run-command-agent.ts";
import { runCommandTool } from "../../src/session/actions/run-tool.ts";
import { removeFolder } from "./temporary-folder.ts";

const BUNDLED = await loadAllBundled();

export interface TestProgramOptions {
  /** Commands of the user's layer, by name. */
  readonly commands?: Readonly<Record<string, CommandDefinition>>;
  readonly layers?: readonly Layer[];
  readonly warnings?: readonly FaultReport[];
  readonly reload?: () => ReloadReport;
}

export interface RunOptions extends Attachment {
  readonly env?: Readonly<Record<string, string>>;
  readonly origin?: Origin;
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}

export interface TestProgram {
  readonly folder: string;
  readonly root: string;
  readonly stateDir: string;
  readonly configDir: string;
  readonly program: Program;
  run(words: readonly string[], options?: RunOptions): Promise<Outcome>;
}

export function openTestProgram(options: TestProgramOptions = {}): TestProgram {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "adj-commands-")));
  const [root, stateDir, configDir] = ["project", "state", "config"].map((name) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  }) as [string, string, string];
  const audit = openAudit(stateDir);
  const state = openState(stateDir);
  onTestFinished(() => {
    state.close();
    audit.close();
    removeFolder(folder);
  });

  const commands = new Map<string, ReturnType<typeof commandOf>>();
  const entriesOf = (
    definitions: Iterable<readonly [string, CommandDefinition]>,
    layer: LayerName,
  ) =>
    layerOf(
      layer,
      Array.from(definitions, ([name, definition]): LayerEntry => {
        const command = commandOf(definition, name);
        const file = layer === "bundled" ? "bundled" : join(configDir, "commands", `${name}.ts`);
        commands.set(`${layer} ${name}`, command);
        return { kind: "command", name, file, summary: command.summary };
      }),
    );

  const fail = (name: string): never => {
    throw new TypeError(`no command ${name}`);
  };
  const program: Program = {
    version: "1.2.3",
    features: FEATURES,
    entry: ownProgram.program,
    root,
    systemRoot: join(folder, "system"),
    stateDir,
    configDir,
    audit,
    sessions: () => state,
    layers: async () => layers,
    warnings: async () => options.warnings ?? [],
    dispatch: (request, attachment) => dispatcher.dispatch(request, attachment),
    resolve: async (name) => resolveCommand(layers, name),
    load: async ({ name }, { layer }) => commands.get(`${layer} ${name}`) ?? fail(name),
    reload: async () =>
      options.reload?.() ?? { kind: "reloaded", commands: commands.size, problems: [] },
    settings: async () => ({
      ...mergeSettings(
        readSettings(join(configDir, "config.yaml"), "user"),
        readSettings(join(root, ".adjutant", "config.yaml"), "project"),
      ),
    }),
    openCatalog: ownProgram.openCatalog,
    open: openerOn({ stateDir, configDir }),
    publish: (context, type, data) => {
      dispatcher.events.publish({
        time: new Date().toISOString(),
        type,
        correlationId: context.correlationId,
        sessionId: context.session.id,
        origin: { surface: context.mode },
        data,
      });
    },
  };
  const bundled = BUNDLED.map((make) => make(() => program)).map(
    (definition) => [definition.name, definition] as const,
  );
  const layers: readonly Layer[] = [
    entriesOf(bundled, "bundled"),
    entriesOf(Object.entries(options.commands ?? {}), "user"),
    ...(options.layers ?? []),
  ];
  const dispatcher = createDispatcher({
    catalog: {
      resolve: program.resolve,
      load: async (entry, at) => {
        const command = commands.get(`${at.layer} ${entry.name}`);
        if (command === undefined) throw new Error(`no code for ${at.layer} ${entry.name}`);
        return command;
      },
    },
    audit,
    sessions: () => state,
    hooks: null,
    actions: {
      tool: (call, name, args) => runCommandTool(program, call, { name, args }),
      agent: (call, prompt, options) => runCommandAgent(program, call, { prompt, options }),
    },
    root,
    agentSigns: AGENT_SIGNS,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  });

  return {
    folder,
    root,
    stateDir,
    configDir,
    program,
    run: async ([name = "", ...args], { env, origin, sessionId, signal, ...attachment } = {}) =>
      dispatcher.dispatch(
        {
          command: { name, args },
          origin: origin ?? { surface: "cli" },
          cwd: root,
          env: env ?? {},
          ...(sessionId === undefined ? {} : { sessionId }),
          ...(signal === undefined ? {} : { signal }),
        },
        attachment,
      ),
  };
}

/** Somebody at the terminal who says the same to everything. */
export const person = (answer: boolean, onQuestion: (question: string) => void = () => {}) => ({
  isInteractive: true,
  interactors: [
    {
      name: "terminal",
      confirm: async (question: string) => {
        onQuestion(question);
        return answer;
      },
      select: async (question: string, choices: readonly string[]) => {
        onQuestion(question);
        return choices.at(answer ? 0 : -1) ?? "";
      },
      input: async () => "",
    } satisfies Interactor,
  ],
});

export const textOf = ({ result }: Outcome): string =>
  typeof result.output === "string" ? result.output : Buffer.from(result.output).toString();

export const linesOf = (outcome: Outcome): string[] => textOf(outcome).split("\n");

const readSettings = (file: string, scope: SettingsScope) =>
  parseSettings(readText(file) ?? "", { file, scope });
