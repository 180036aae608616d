// `adj hooks test`: one step through the very answerer that agents get. Handlers and virtual commands really run;
// only nothing is put on record as a step of an agent.
import { rmSync } from "node:fs";
import { asList, asText } from "../../agents/log/json-fields.ts";
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import type { CommandContext } from "../../core/command/context.ts";
import type { NewEvent } from "../../core/command/event.ts";
import { misuse } from "../../core/command/fault.ts";
import type { CommandResult } from "../../core/command/result.ts";
import { monotonicMs } from "../../core/command/time.ts";
import type { BundledContext, Program } from "../../core/commands/bundled.ts";
import { asRecord } from "../../core/project/json-value.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import { selectHookVariables } from "../handlers/environment.ts";
import { createHookAnswerer } from "../pipeline/answer.ts";
import type { HookReply } from "../pipeline/hook-call.ts";
import { sessionFolder } from "../pipeline/session.ts";
import { makeColdParts } from "../resident/cold-parts.ts";
import type { HooksArguments } from "./hooks-arguments.ts";
import { buildStepPayload, pickHookAgent, readSavedPayload } from "./step-request.ts";

export async function testStep(
  args: HooksArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  if (args.step?.endsWith("_command"))
    throw misuse("hooks", `\`${args.step}\` is no agent's step; run a command to try its hooks`);
  const agent = await pickHookAgent(args);
  const payload =
    args.payload === undefined
      ? JSON.stringify(await buildStepPayload(agent, args, context))
      : await readSavedPayload(args, context);
  return reportTest(await tryStep(agent, payload, { context, program }), agent);
}

interface TriedStep {
  readonly payload: string;
  readonly reply: HookReply;
  /** What would have been recorded. */
  readonly events: readonly NewEvent[];
  /** Of the hooks that were asked. */
  readonly warnings: readonly string[];
  readonly ms: number;
}

async function tryStep(
  agent: HookAgent,
  payload: string,
  { context, program }: BundledContext,
): Promise<TriedStep> {
  const events: NewEvent[] = [];
  const warnings: string[] = [];
  const parts = makeColdParts({ program: program.entry, openCatalog: program.openCatalog });
  const answer = createHookAnswerer({
    ...parts,
    loadRules: async (of) => {
      const set = await parts.loadRules(of);
      warnings.push(...set.warnings);
      return set;
    },
    record: (_, list) => void events.push(...list),
  });
  const startedAt = monotonicMs();
  const reply = await answer({
    agent: agent.name,
    payload,
    env: callEnvironment(agent, context, program),
    cwd: context.workingDirectory,
    signal: context.signal,
  });
  const ms = monotonicMs() - startedAt;
  reply.record();
  await reply.background;
  forgetSession(reply, program);
  return { payload, reply, events, warnings, ms };
}

/** What an agent's call would carry, from here; the file by which an agent takes variables over stays out of it. */
function callEnvironment(
  { abilities: { envFileVariable = "" } }: HookAgent,
  context: CommandContext,
  program: Program,
): Record<string, string> {
  const { [envFileVariable]: _, ...env } = selectHookVariables(context.env.forChild());
  return {
    ...env,
    ADJ_STATE_DIR: program.stateDir,
    ADJ_CONFIG_DIR: program.configDir,
    ADJ_CORRELATION_ID: context.correlationId,
  };
}

function forgetSession({ envelope }: HookReply, { stateDir }: Program): void {
  if (envelope === null) return;
  const { agent, session_id: sessionId } = envelope;
  rmSync(sessionFolder({ stateDir, agent, sessionId }), { recursive: true, force: true });
}

// What one tried step came to: who did what, what was decided, what the agent is told.

const VETO_EXIT = 126;

function reportTest(tried: TriedStep, agent: HookAgent): CommandResult {
  const { reply, payload, warnings, ms } = tried;
  const isRefused = isRefusal(reply, agent);
  const handlers = listHandlerLines(tried);
  const notes = listNotes(tried);
  const lines = [
    describeTriedStep(reply, agent),
    ...formatTable(HANDLER_COLUMNS, handlers.map(handlerRow), null).slice(
      handlers.length === 0 ? 1 : 0,
    ),
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

const HANDLER_COLUMNS = [
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
function listHandlerLines({ reply, events }: TriedStep): HandlerLine[] {
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
  withoutName(note ?? "", rule).split("\n", 1)[0] ?? "",
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

function describeTriedStep({ envelope }: HookReply, agent: HookAgent): string {
  if (envelope === null) return `no step of ${agent.name}`;
  const event = agent.abilities.steps[envelope.step]?.event;
  const tool = envelope.tool === undefined ? "" : `: ${envelope.tool} (${envelope.kind})`;
  return `${envelope.step} of ${envelope.agent}${event === undefined ? "" : ` (${event})`}${tool}`;
}

function describeDecision({ decision, virtual }: HookReply): string {
  if (decision === null) return "pass, nobody was asked";
  if (virtual !== null) return `virtual command \`${virtual.command}\`, ${virtual.how}`;
  const { decidedBy } = decision;
  const by = decidedBy === null ? "" : ` by \`${decidedBy}\``;
  const told = withoutName(decision.reason ?? "", decidedBy);
  const reason = told === "" ? "" : `: ${told}`;
  return `${listEffects(decision).join(", ")}${by}${reason}`;
}

/** What is told to an agent names the rule; where the rule stands before it, once is enough. */
function withoutName(reason: string, rule: string | null): string {
  if (rule === null) return reason;
  if (reason === `vetoed by \`${rule}\``) return "";
  const prefix = `\`${rule}\`: `;
  return reason.startsWith(prefix) ? reason.slice(prefix.length) : reason;
}

/** All that was decided; a veto leaves nothing else. */
function listEffects(decision: StepDecision): string[] {
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

function cannotBeHonoured(decision: StepDecision, { steps }: HookAgent["abilities"]): boolean {
  const ability = steps.before_tool;
  if (ability === undefined) return false;
  if (decision.permission === "ask" && !ability.canAsk) return true;
  return decision.args !== null && !ability.changes.includes("args");
}
