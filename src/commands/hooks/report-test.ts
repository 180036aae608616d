// What one tried step came to: who did what, what was decided, what the agent is told.
import { asList, asRecord, asText } from "../../agents/json-fields.ts";
import type { CommandResult } from "../../command/result.ts";
import { formatTable } from "../../command/text-columns.ts";
import type { HookAgent } from "../../hooks/agents/hook-agent.ts";
import type { Decision } from "../../hooks/decision.ts";
import type { HookReply } from "../../hooks/hook-call.ts";
import type { TriedStep } from "./test-step.ts";

const VETO_EXIT = 126;

export function reportTest(tried: TriedStep, agent: HookAgent): CommandResult {
  const { reply, payload, warnings, ms } = tried;
  const isRefused = isRefusal(reply, agent);
  const handlers = listHandlers(tried);
  const notes = listNotes(tried);
  const lines = [
    describeStep(reply, agent),
    ...formatTable(COLUMNS, handlers.map(handlerRow), null).slice(handlers.length === 0 ? 1 : 0),
    `decision: ${describeDecision(reply)}`,
    ...notes.map((note) => `note: ${note}`),
    ...warnings.map((warning) => `warning: ${warning}`),
    `answer: ${reply.stdout.trim() || "(nothing: no opinion)"}`,
  ];
  return {
    success: !isRefused,
    output: lines.join("\n"),
    errorOutput: null,
    exitCode: isRefused ? VETO_EXIT : 0,
    metadata: {
      agent: agent.name,
      step: reply.envelope?.step ?? null,
      payload,
      handlers,
      decision: reply.decision,
      virtual: reply.virtual,
      refused: isRefused,
      notes,
      warnings,
      answer: reply.stdout,
      ms: roundMs(ms),
    },
  };
}

const COLUMNS = [
  { title: "HANDLER" },
  { title: "LAYER" },
  { title: "DID" },
  { title: "MS" },
  { title: "NOTE" },
] as const;

interface HandlerLine {
  readonly rule: string;
  readonly layer: string;
  readonly did: string;
  readonly ms: number;
  readonly note: string | null;
  readonly stderr: string | null;
}

/** Those that were waited for, then those that only looked on, which are known by their records. */
function listHandlers({ reply, events }: TriedStep): HandlerLine[] {
  const waited = (reply.decision?.reports ?? []).map((report) => ({
    rule: report.rule,
    layer: report.layer,
    did: report.did,
    ms: roundMs(report.durationMs),
    note: report.note,
    stderr: report.stderr,
  }));
  const observed = events
    .filter(({ type }) => type === "StepDecided")
    .slice(1)
    .flatMap(({ data }) => asList(data.handlers))
    .map((handler) => {
      const { rule, layer, did, ms, note, stderr } = asRecord(handler);
      return {
        rule: asText(rule) ?? "",
        layer: asText(layer) ?? "",
        did: asText(did) ?? "",
        ms: typeof ms === "number" ? ms : 0,
        note: asText(note),
        stderr: asText(stderr),
      };
    });
  return [...waited, ...observed];
}

const handlerRow = ({ rule, layer, did, ms, note }: HandlerLine): string[] => [
  rule,
  layer,
  did,
  String(ms),
  (note ?? "").split("\n", 1)[0] ?? "",
];

const roundMs = (ms: number): number => Math.round(ms * 10) / 10;

/** Diagnostics of handlers, what the agent cannot honour, and what went wrong beside it. */
function listNotes({ reply, events }: TriedStep): string[] {
  const noted = events.flatMap(({ type, data }) =>
    type === "Diagnostic" ? (asText(data.message) ?? []) : [],
  );
  const problem = reply.stderr.replace(/^adj: /, "").trim();
  return [...noted, ...(problem === "" || noted.includes(problem) ? [] : [problem])];
}

function describeStep({ envelope }: HookReply, agent: HookAgent): string {
  if (envelope === null) return `no step of ${agent.name}`;
  const event = agent.abilities.steps[envelope.step]?.event;
  const tool = envelope.tool === undefined ? "" : `: ${envelope.tool} (${envelope.kind})`;
  return `${envelope.step} of ${envelope.agent}${event === undefined ? "" : ` (${event})`}${tool}`;
}

function describeDecision({ decision, virtual }: HookReply): string {
  if (decision === null) return "pass, nobody was asked";
  if (virtual !== null) return `virtual command \`${virtual.command}\`, ${virtual.how}`;
  const by = decision.decidedBy === null ? "" : ` by \`${decision.decidedBy}\``;
  const reason = decision.reason === null ? "" : `: ${decision.reason}`;
  return `${listEffects(decision).join(", ")}${by}${reason}`;
}

/** All that was decided; a veto leaves nothing else. */
function listEffects(decision: Decision): string[] {
  const { control, permission, result, args, prompt, output, additionalContext } = decision;
  if (control === "veto" || permission === "deny") return ["veto"];
  const isRewrite = args !== null || prompt !== null || output !== null;
  const effects = [
    ...(result === null ? [] : ["answer"]),
    ...(isRewrite ? ["rewrite"] : []),
    ...(permission === null ? [] : [permission]),
    ...(additionalContext.length === 0 ? [] : ["context"]),
  ];
  return effects.length === 0 ? ["pass"] : effects;
}

/** A veto, or what becomes one because the agent can neither ask nor take the change. */
function isRefusal({ decision, envelope, virtual }: HookReply, { abilities }: HookAgent): boolean {
  if (decision === null || envelope === null || virtual !== null) return false;
  if (decision.control === "veto" || decision.permission === "deny") return true;
  return envelope.step === "before_tool" && cannotBeHonoured(decision, abilities);
}

function cannotBeHonoured(decision: Decision, { steps }: HookAgent["abilities"]): boolean {
  const ability = steps.before_tool;
  if (ability === undefined) return false;
  if (decision.permission === "ask" && !ability.canAsk) return true;
  return decision.args !== null && !ability.changes.includes("args");
}
