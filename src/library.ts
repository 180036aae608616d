// What `import … from "adjutant"` offers. A test freezes this list.
export { z } from "zod";
export type { LibraryAgents, LibraryRunOptions } from "./agents/library-agents.ts";
export type { LogEvent } from "./agents/log/event.ts";
export type { RunLog } from "./agents/log/run-log.ts";
export type { CommandContext } from "./core/command/context.ts";
export type { CommandDefinition } from "./core/command/definition.ts";
export { defineCommand } from "./core/command/definition.ts";
export type { StoredEvent } from "./core/command/event.ts";
export { Fault } from "./core/command/fault.ts";
export type { Attachment, Interactor, Outcome } from "./core/command/request.ts";
export type { CommandResult } from "./core/command/result.ts";
export { fail, ok } from "./core/command/result.ts";
export type { AdjutantOptions, DispatchRequest } from "./core/dispatch/adjutant.ts";
export type { Question } from "./core/store/questions.ts";
export type { Turn } from "./core/store/turn-row.ts";
export { defineHook } from "./hooks/handlers/define-hook.ts";
export type { AdjutantLibrary as Adjutant } from "./library-facets.ts";
export { createAdjutant } from "./program.ts";
export type { HostEvent } from "./session/host/session-host.ts";
export type { LibrarySessions, SendOptions, Session } from "./session/library-sessions.ts";
export type {
  LibraryWorkflows,
  WorkflowEvent,
  WorkflowOptions,
  WorkflowOutcome,
} from "./workflow/library-workflows.ts";
