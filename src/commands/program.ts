// What the bundled commands may ask of the program they are part of. Users' commands get the context alone.

import type { $ZodType, output } from "zod/v4/core";
import type { Command } from "../command/command.ts";
import type { CommandContext } from "../command/context.ts";
import {
  type CommandDefinition,
  type CommandFields,
  defineCommand,
} from "../command/definition.ts";
import type { FaultReport } from "../command/fault.ts";
import type { CommandEntry, Definition, Layer, Resolution } from "../command/registry.ts";
import type { CommandResult } from "../command/result.ts";
import type { JsonValue } from "../command/session-access.ts";
import type { EventType } from "../dispatch/event.ts";
import type { HookParts } from "../hooks/hook-parts.ts";
import type { AuditStore, ConsentStore, SessionStore } from "../storage/stores.ts";

/** What is known of an agent without running it. */
export interface AgentCard {
  readonly name: string;
  readonly capabilities: readonly string[];
  /** Null where the agent cannot list its models. */
  readonly models: readonly string[] | null;
  readonly tools: readonly { readonly name: string; readonly kind: string }[];
}

export interface ReloadReport {
  readonly kind: "reloaded" | "kept";
  readonly commands: number;
  readonly problems: readonly FaultReport[];
}

export interface Program {
  readonly version: string;
  /** The words that start this very program again. */
  readonly entry: readonly string[];
  /** The git root, or the folder of `.adjutant`, or the working directory. */
  readonly root: string;
  readonly stateDir: string;
  readonly configDir: string;
  readonly audit: AuditStore;
  sessions(): SessionStore & ConsentStore;
  /** Lowest first. */
  layers(): Promise<readonly Layer[]>;
  /** Problems of the layers that concern nobody's command in particular. */
  warnings(): Promise<readonly FaultReport[]>;
  resolve(name: string): Promise<Resolution>;
  load(entry: CommandEntry, at: Definition): Promise<Command>;
  reload(): Promise<ReloadReport>;
  /** The agents that are known, installed or not. */
  agents(): Promise<readonly AgentCard[]>;
  /** Settings of user and project, merged; plain data. */
  settings(): Promise<Readonly<Record<string, JsonValue | undefined>>>;
  /** What a hook call of an agent is answered with; to try one. */
  hookParts(): Promise<HookParts>;
  publish(
    context: CommandContext,
    type: EventType,
    data: Readonly<Record<string, JsonValue>>,
  ): void;
}

type Making<Schema extends $ZodType> = CommandFields & {
  readonly name: string;
  readonly args: Schema;
  /** See `Command`. */
  readonly graceMs?: number;
  run(
    args: output<Schema>,
    context: CommandContext,
    program: Program,
  ): Promise<CommandResult> | CommandResult;
};

/** The program is asked for when the command runs: commands are part of what it is made of. */
export type BundledCommand = (
  program: () => Program,
) => CommandDefinition & { readonly name: string; readonly graceMs?: number };

/** A bundled command has the contract of any other; only its `run` also gets the program. */
export function defineBundled<Schema extends $ZodType>(making: Making<Schema>): BundledCommand {
  const { run, graceMs, ...fields } = making;
  return (program) => ({
    ...(graceMs === undefined ? {} : { graceMs }),
    ...defineCommand({ ...fields, run: (args, context) => run(args, context, program()) }),
    name: making.name,
  });
}
