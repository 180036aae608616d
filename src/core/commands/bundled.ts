// What bundled commands are made of: the features that bring them, the program they may ask, shared arguments.
// Users' commands get the context alone.
import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import type { CommandContext, JsonValue } from "../command/context.ts";
import {
  type Command,
  type CommandDefinition,
  type CommandFields,
  defineCommand,
  type TextPart,
} from "../command/definition.ts";
import type { EventType } from "../command/event.ts";
import { type FaultReport, fault } from "../command/fault.ts";
import type { CommandEntry, Definition, Layer, Resolution } from "../command/registry.ts";
import type { Attachment, Outcome, Request } from "../command/request.ts";
import type { CommandResult } from "../command/result.ts";
import type { CreateAdjutant } from "../dispatch/adjutant.ts";
import type { ProgramCatalog, ReloadReport } from "../load/catalog.ts";
import type { FileKind } from "../load/command-file.ts";
import type { Paths } from "../project/paths.ts";
import type { AgentWords } from "../project/settings.ts";
import type { AuditStore, StateStore } from "../store/stores.ts";
import type { Finding } from "./finding.ts";
import type { HostExtension, HostServices } from "./host-extension.ts";
import type { OldThings, PruneSearch } from "./prune/old-things.ts";

/** What one feature brings; all of it is loaded when it is used. */
export interface Feature {
  readonly name: string;
  readonly commands: Readonly<Record<string, () => Promise<{ readonly default: BundledCommand }>>>;
  /** Kinds of command files. Without a program they are only looked at, for the index. */
  readonly loaders?: (program: (() => Program) | null) => readonly FileKind[];
  /** Whether `adj-NAME`, called by the model of this agent, is answered by Adjutant here. */
  readonly answersCommands?: (
    agent: string,
    context: CommandContext,
    program: Program,
  ) => Promise<boolean>;
  /** What the agents are called that it knows. */
  readonly agentWords?: () => Promise<AgentWords>;
  /** Whether some guard is in force in a project. */
  readonly hasGuards?: (program: Program, root: string) => Promise<boolean>;
  /** What a person should know before a project is trusted, a line each. */
  readonly trustNotes?: (context: CommandContext, program: Program) => Promise<readonly string[]>;
  /** What `adj doctor` tells of it. */
  readonly checks?: () => Promise<{
    check(program: Program, context: CommandContext): Promise<readonly Finding[]>;
  }>;
  /** Takes what a saved session had attached into the session of this command, and says what became of it. */
  readonly bringAttached?: (
    saved: AttachedRun,
    context: CommandContext,
    program: Program,
  ) => Promise<AttachOutcome>;
  /** What `adj prune` may take away of it. */
  readonly oldThings?: (search: PruneSearch) => Promise<readonly OldThings[]>;
  /** Takes back what it wrote into this project, but for what somebody changed since; a line for each file. */
  readonly undoSetup?: (program: Program, isDryRun: boolean) => Promise<readonly string[]>;
  /** What of it lives in the host. */
  readonly host?: () => Promise<(services: HostServices) => HostExtension>;
  /** First texts of new commands for `adj new`, by the extension of their files. */
  readonly scaffolds?: Readonly<Record<string, () => Promise<Scaffold>>>;
}

/** What was attached to a session when it was saved. */
export interface AttachedRun {
  readonly workflow: string;
  readonly runId: string;
  readonly stage: string;
}

export interface AttachOutcome {
  readonly isAttached: boolean;
  /** One line, the rest of a sentence about the workflow. */
  readonly text: string;
}

export interface Scaffold {
  template(description: string, name: string): string;
  /** What a person types to try the new command. */
  tryLine(name: string): string;
}

export interface Program {
  readonly version: string;
  readonly features: readonly Feature[];
  /** The words that start this very program again. */
  readonly entry: readonly string[];
  /** The git root, or the folder of `.adjutant`, or the working directory. */
  readonly root: string;
  /** What stands for `/` where an administrator's files lie; tests have another. */
  readonly systemRoot?: string;
  readonly stateDir: string;
  readonly configDir: string;
  readonly audit: AuditStore;
  sessions(): StateStore;
  /** Lowest first. */
  layers(): Promise<readonly Layer[]>;
  /** Problems of the layers that concern nobody's command in particular. */
  warnings(): Promise<readonly FaultReport[]>;
  /** For a command that is a surface itself: it hands over requests of its own and lends what it has to them. */
  dispatch(request: Request, attachment?: Attachment): Promise<Outcome>;
  resolve(name: string): Promise<Resolution>;
  load(entry: CommandEntry, at: Definition): Promise<Command>;
  reload(): Promise<ReloadReport>;
  /** Settings of user and project, merged; plain data. */
  settings(): Promise<Readonly<Record<string, JsonValue | undefined>>>;
  /** The commands of another folder or project than the program's own; nothing is run by it. */
  openCatalog(request: {
    readonly cwd: string;
    readonly root: string;
    readonly paths: Paths;
  }): Promise<ProgramCatalog>;
  /**
   * A whole Adjutant for another folder or project: its commands and guards, connections of its own to the same state.
   * Whoever opens it closes it.
   */
  readonly open: CreateAdjutant;
  publish(
    context: CommandContext,
    type: EventType,
    data: Readonly<Record<string, JsonValue>>,
  ): void;
}

/** What a bundled command runs with beside its arguments. */
export interface BundledContext {
  readonly context: CommandContext;
  readonly program: Program;
}

/** What all the agents are called. */
export async function collectAgentWords({ features }: Program): Promise<AgentWords> {
  const words = await Promise.all(features.map(({ agentWords }) => agentWords?.()));
  return Object.assign({}, ...words);
}

type BundledDefinition<Schema extends $ZodType> = CommandFields & {
  readonly name: string;
  readonly args: Schema;
  /** See `Command`. */
  readonly graceMs?: number;
  /** See `CommandSummary`; null for a command that passes on what programs print. */
  readonly textParts?: readonly TextPart[] | null;
  run(
    args: output<Schema>,
    context: CommandContext,
    program: Program,
  ): Promise<CommandResult> | CommandResult;
};

/** The program is asked for when the command runs: commands are part of what it is made of. */
export type BundledCommand = (program: () => Program) => CommandDefinition & {
  readonly name: string;
  readonly graceMs?: number;
  readonly textParts?: readonly TextPart[] | null;
};

/** A bundled command has the contract of any other; only its `run` also gets the program. */
export function defineBundled<Schema extends $ZodType>(
  definition: BundledDefinition<Schema>,
): BundledCommand {
  const { run, graceMs, textParts, ...fields } = definition;
  return (program) => ({
    ...(graceMs === undefined ? {} : { graceMs }),
    ...(textParts === undefined ? {} : { textParts }),
    ...defineCommand({ ...fields, run: (args, context) => run(args, context, program()) }),
    name: definition.name,
  });
}

export type FoundCommand = Extract<Resolution, { kind: "found" }>;

/** Throws where no command answers to the name, or only a broken one. */
export async function requireCommand(name: string, program: Program): Promise<FoundCommand> {
  const found = await program.resolve(name);
  if (found.kind === "found") return found;
  if (found.kind === "unknown")
    throw fault("CommandUnknown", found, { hint: "list all with `adj commands`" });
  const problem = found.passedOver[0]?.fault.message ?? "it is broken";
  throw fault("CommandBroken", { name, problem });
}

// The arguments that many commands have in the same shape.

/** What the surfaces should know besides: its place, whether it is plain, a file, for which actions. */
type ArgumentMarks = Readonly<Record<string, unknown>>;

export const textArgument = (description: string, marks: ArgumentMarks = {}) =>
  z.optional(z.string().check(z.meta({ description, ...marks })));

export const choiceArgument = <const Values extends readonly string[]>(
  values: Values,
  description: string,
  marks: ArgumentMarks = {},
) => z.optional(z.enum(values).check(z.meta({ plain: true, description, ...marks })));

/** A whole number, from 1 on unless the marks say otherwise. */
export const countArgument = (
  description: string,
  { from = 1, to, ...marks }: ArgumentMarks & { readonly from?: number; readonly to?: number } = {},
) =>
  z.optional(
    z
      .int()
      .check(
        z.minimum(from),
        ...(to === undefined ? [] : [z.maximum(to)]),
        z.meta({ plain: true, description, ...marks }),
      ),
  );

/** Off unless given. */
export const flagArgument = (description: string, marks: ArgumentMarks = {}) =>
  z._default(z.boolean().check(z.meta({ plain: true, description, ...marks })), false);

export const textsArgument = (description: string, marks: ArgumentMarks = {}) =>
  z._default(z.array(z.string()).check(z.meta({ description, ...marks })), []);

export const agentNamesArgument = (description: string) =>
  textsArgument(description, { positional: "rest", plain: true });
