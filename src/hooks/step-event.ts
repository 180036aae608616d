// A decided step on its way to the record: what was decided and by whom, arguments as shapes, text masked.
import { maskSecrets } from "../command/secrets.ts";
import type { JsonValue } from "../command/session-access.ts";
import { shapeOf } from "../command/shape.ts";
import type { NewEvent } from "../dispatch/event.ts";
import type { Decision, HandlerReport } from "./decision.ts";
import type { Envelope, ToolArguments } from "./envelope.ts";
import type { VirtualNote } from "./hook-call.ts";

export interface DecidedStep {
  readonly envelope: Envelope;
  readonly sessionId: string;
  readonly decision: Decision;
  readonly virtual: VirtualNote | null;
  /** What the agent could not honour, and whatever else its owner should know. */
  readonly notes: readonly string[];
}

export type StepWord =
  | "pass"
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
  if (decision.control === "veto" || decision.permission === "deny") return "veto";
  if (decision.result !== null) return "answer";
  if (decision.args !== null || decision.prompt !== null || decision.output !== null)
    return "rewrite";
  if (decision.permission !== null) return decision.permission;
  return decision.additionalContext.length > 0 ? "context" : "pass";
}

export function describeStep(step: DecidedStep): NewEvent[] {
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

const LONGEST_TEXT = 2_000;

const brief = (text: string): string => maskSecrets(text).slice(0, LONGEST_TEXT).toWellFormed();

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

const MOST_SHAPES = 20;

const shapes = (args: ToolArguments): Record<string, JsonValue> =>
  Object.fromEntries(
    Object.entries(args)
      .slice(0, MOST_SHAPES)
      .map(([name, value]) => [brief(name), shapeOf(value)]),
  );
