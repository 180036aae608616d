// A decided step on its way to the record: what was decided and by whom, arguments as shapes, text masked.
import type { JsonValue } from "../../core/command/context.ts";
import type { NewEvent } from "../../core/command/event.ts";
import { shapeOf } from "../../core/command/recorded-arguments.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import type { Envelope, ToolArguments } from "../../core/step/envelope.ts";
import type { HandlerReport, StepDecision } from "../../core/step/verdict.ts";
import type { VirtualNote } from "../virtual/virtual-step.ts";

export interface DecidedStep {
  readonly envelope: Envelope;
  readonly sessionId: string;
  readonly decision: StepDecision;
  readonly virtual: VirtualNote | null;
  /** What the agent could not honour, and whatever else its owner should know. */
  readonly notes: readonly string[];
}

type StepWord =
  | "pass"
  | "cancelled"
  | "veto"
  | "answer"
  | "rewrite"
  | "allow"
  | "ask"
  | "context"
  | "virtual";

/** The strongest thing that was decided. */
export function nameDecision({
  decision,
  virtual,
}: Pick<DecidedStep, "decision" | "virtual">): StepWord {
  if (virtual !== null) return "virtual";
  // Guards that could not be asked any more refuse, but nobody decided that.
  if (decision.isCancelled) return "cancelled";
  if (decision.control === "veto" || decision.permission === "deny") return "veto";
  if (decision.result !== null) return "answer";
  if (decision.args !== null || decision.prompt !== null || decision.output !== null)
    return "rewrite";
  if (decision.permission !== null) return decision.permission;
  return decision.additionalContext.length > 0 ? "context" : "pass";
}

export function describeDecidedStep(step: DecidedStep): NewEvent[] {
  const { envelope, decision, virtual } = step;
  const { args, tool, kind } = envelope;
  const decided = eventOf(step, "StepDecided", {
    step: envelope.step,
    agent: envelope.agent,
    decision: nameDecision(step),
    handler: decision.decidedBy,
    ...(tool === undefined ? {} : { tool: brief(tool) }),
    ...(kind === undefined ? {} : { kind }),
    ...(args === undefined ? {} : { args: shapes(args) }),
    // Of a virtual command the reason may be its whole output.
    ...(decision.reason === null || virtual !== null ? {} : { reason: brief(decision.reason) }),
    ...(virtual === null ? {} : { virtual: { ...virtual } }),
    ...(decision.reports.length === 0 ? {} : { handlers: decision.reports.map(describeReport) }),
  });
  const diagnostics = [...decision.diagnostics, ...step.notes].map((message) =>
    eventOf(step, "Diagnostic", { code: "Hook", where: envelope.step, message: brief(message) }),
  );
  return [decided, ...diagnostics];
}

/** Of handlers that nobody waited for. */
export const describeObserved = (step: DecidedStep, report: HandlerReport): NewEvent =>
  eventOf(step, "StepDecided", {
    step: step.envelope.step,
    agent: step.envelope.agent,
    decision: "pass",
    handler: report.rule,
    handlers: [describeReport(report)],
  });

function eventOf(
  { envelope, sessionId }: DecidedStep,
  type: NewEvent["type"],
  data: NewEvent["data"],
): NewEvent {
  return {
    time: envelope.time,
    type,
    correlationId: envelope.correlation_id,
    sessionId,
    origin: { surface: "hook", agent: envelope.agent },
    data,
  };
}

const MAX_TEXT_LENGTH = 2_000;

const brief = (text: string): string => maskSecrets(text).slice(0, MAX_TEXT_LENGTH).toWellFormed();

function describeReport({ rule, layer, durationMs, did, note, stderr }: HandlerReport): JsonValue {
  return {
    rule,
    layer,
    ms: Math.round(durationMs * 10) / 10,
    did,
    ...(note === null ? {} : { note: brief(note) }),
    ...(stderr === null || stderr === "" ? {} : { stderr: brief(stderr) }),
  };
}

const MAX_SHAPES = 20;

const shapes = (args: ToolArguments): Record<string, JsonValue> =>
  Object.fromEntries(
    Object.entries(args)
      .slice(0, MAX_SHAPES)
      .map(([name, value]) => [brief(name), shapeOf(value)]),
  );
