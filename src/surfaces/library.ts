// What `import … from "adjutant"` offers. A test freezes this list.
export { z } from "zod";
export type { CommandContext } from "../command/context.ts";
export type { CommandDefinition } from "../command/definition.ts";
export { defineCommand } from "../command/definition.ts";
export { Fault } from "../command/fault.ts";
export type { CommandResult } from "../command/result.ts";
export { fail, ok } from "../command/result.ts";
export type { StoredEvent } from "../dispatch/event.ts";
export type { Outcome } from "../dispatch/outcome.ts";
export type { Attachment, Interactor } from "../dispatch/request.ts";
export type { Adjutant, AdjutantOptions, DispatchRequest } from "./adjutant.ts";
export { createAdjutant } from "./adjutant.ts";
