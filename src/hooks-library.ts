// What `import … from "adjutant/hooks"` offers: handlers of one's own, and the pipeline that asks them. Guards run at
// every step of an agent, so nothing heavy is imported here.
export type { Envelope, StepSubject, ToolKind } from "./core/step/envelope.ts";
export type { StepName } from "./core/step/step.ts";
export type { HandlerReport, StepDecision, Verdict } from "./core/step/verdict.ts";
export type { HookHandler } from "./hooks/handlers/define-hook.ts";
export { defineHook } from "./hooks/handlers/define-hook.ts";
export type { HandlerOutcome } from "./hooks/handlers/protocol.ts";
export type { HookRule, RuleMatch, RuleRun } from "./hooks/match/rule.ts";
export type { PipelineRequest } from "./hooks/pipeline/pipeline.ts";
export { runPipeline } from "./hooks/pipeline/pipeline.ts";
