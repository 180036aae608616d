// What `import … from "adjutant"` offers. A test freezes this list.
export { z } from "zod";
export type { CommandContext } from "./core/command/context.ts";
export type { CommandDefinition } from "./core/command/definition.ts";
export { defineCommand } from "./core/command/definition.ts";
export type { StoredEvent } from "./core/command/event.ts";
export { Fault } from "./core/command/fault.ts";
export type { Attachment, Interactor, Outcome } from "./core/command/request.ts";
export type { CommandResult } from "./core/command/result.ts";
export { fail, ok } from "./core/command/result.ts";
export type { Adjutant, AdjutantOptions, DispatchRequest } from "./core/dispatch/adjutant.ts";
export { createAdjutant } from "./program.ts";
