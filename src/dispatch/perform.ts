// What happens to a command between its two events: the order of spec 1.3, the same for every surface.

import { checkArguments } from "../command/check-arguments.ts";
import type { Command } from "../command/command.ts";
import type { CommandContext, NestedRequest } from "../command/context.ts";
import { fault } from "../command/fault.ts";
import type { CommandEntry, Definition } from "../command/registry.ts";
import { privateTexts } from "../command/shape.ts";
import type { Lease } from "../storage/stores.ts";
import { createAsking } from "./asking.ts";
import { isBelowAgent } from "./below-agent.ts";
import { decideConsent } from "./consent.ts";
import { type Ending, endWithResult } from "./ending.ts";
import type { LoopWatch } from "./loop-watch.ts";
import type { Outcome } from "./outcome.ts";
import type { CommandStep, DispatcherPorts } from "./ports.ts";
import { type EventFacts, maskForRecord, type Recorder } from "./recorder.ts";
import type { Attachment, Request } from "./request.ts";
import { runHandler } from "./run-handler.ts";
import { makeContext } from "./running-context.ts";
import type { Scope } from "./scope.ts";
import { bindSession, type SessionBinding } from "./session-binding.ts";
import { sessionChanges } from "./session-events.ts";
import { parseSpoken, type SpokenCommand } from "./spoken-command.ts";
import type { WriteTurn } from "./write-order.ts";

/** One dispatch on its way. */
export interface Call {
  readonly request: Request;
  readonly attachment: Attachment;
  readonly spoken: SpokenCommand;
  readonly facts: EventFacts & { readonly sessionId: string };
  /** The `CommandDispatched` event all others of this call follow from. */
  readonly cause: string;
  readonly scope: Scope;
  /** The lease of the command this one was dispatched by. */
  readonly inheritedLease: Lease | null;
  readonly turn: WriteTurn | null;
  readonly nest: (request: NestedRequest, lease: Lease | null) => Promise<Outcome>;
}

export interface Workshop {
  readonly ports: DispatcherPorts;
  readonly recorder: Recorder;
  readonly loopWatch: LoopWatch;
}

export async function performCommand(
  shop: Workshop,
  call: Call,
  found: { readonly entry: CommandEntry; readonly at: Definition },
): Promise<Ending> {
  const command = await shop.ports.catalog.load(found.entry, found.at);
  const step = makeStep(call, command, parseSpoken(command, call.spoken));
  const verdict = (await shop.ports.hooks?.before(step)) ?? { kind: "proceed" };
  call.scope.signal.throwIfAborted();
  if (verdict.kind === "veto") throw fault("Vetoed", { reason: verdict.reason });
  const ending =
    verdict.kind === "answer"
      ? endWithResult(verdict.result)
      : await runUnderLease(shop, call, {
          command,
          args: rewrite(step, command, verdict.args),
          at: found.at,
        });
  return appendReasons(shop, step, ending);
}

function makeStep(call: Call, command: Command, args: unknown): CommandStep {
  const { request, facts, spoken, scope } = call;
  return {
    command: command.summary,
    args,
    line: spoken.line,
    cwd: request.cwd,
    signal: scope.signal,
    ...facts,
  };
}

/** Rewritten arguments are checked like typed ones. */
function rewrite(
  step: CommandStep,
  command: Command,
  args?: Readonly<Record<string, unknown>>,
): unknown {
  if (args === undefined) return step.args;
  return command.args === null ? args : checkArguments(command.summary, command.args, args);
}

interface Ready {
  readonly command: Command;
  readonly args: unknown;
  readonly at: Definition;
}

async function runUnderLease(shop: Workshop, call: Call, ready: Ready): Promise<Ending> {
  const { summary } = ready.command;
  const belowAgent = isBelowAgent(call.request.origin, call.request.env);
  const holding: { lease: Lease | null } = { lease: null };
  const asking = createAsking({
    name: summary.name,
    interactors: call.attachment.interactors ?? [],
    isBelowAgent: belowAgent,
    signal: call.scope.signal,
    lease: () => (summary.holdLeaseWhileAsking ? null : holding.lease),
    onRaised: (kind, question) =>
      shop.recorder.note(
        "InteractionRaised",
        call.facts,
        { kind, question: maskForRecord(question, privateTexts(summary.schema, ready.args)) },
        call.cause,
      ),
    onAnswered: (kind, answer) =>
      shop.recorder.note("InteractionAnswered", call.facts, { kind, answer }, call.cause),
  });
  await obtainConsent(shop, call, { ready, belowAgent, asking });
  const owned = await obtainLease(shop, call, summary.effect !== "read");
  holding.lease = owned;
  try {
    const lease = owned ?? call.inheritedLease;
    const binding = bind(shop, call, { ready, lease });
    const context = makeContext({
      request: call.request,
      attachment: call.attachment,
      summary,
      line: call.spoken.line,
      correlationId: call.facts.correlationId,
      signal: call.scope.signal,
      session: binding.accessor,
      ask: asking,
      belowAgent,
      dispatch: (nested) => call.nest(nested, lease),
      log: (message) => logLine(shop, call, { ready, message }),
    });
    return await runAndCommit(shop, call, { ready, context, binding });
  } finally {
    owned?.release();
  }
}

async function obtainConsent(
  shop: Workshop,
  call: Call,
  {
    ready,
    belowAgent,
    asking,
  }: { ready: Ready; belowAgent: boolean; asking: CommandContext["ask"] },
): Promise<void> {
  const { name, safety } = ready.command.summary;
  if (safety !== "destructive") return;
  const decision = decideConsent({
    name,
    isDestructive: true,
    isBundled: ready.at.layer === "bundled",
    isYesGiven: call.attachment.yes === true,
    isBelowAgent: belowAgent,
    isApproved: shop.ports.sessions().isApproved(shop.ports.root, name),
    canAsk: (call.attachment.interactors ?? []).length > 0,
  });
  if (decision.kind === "refused") throw decision.fault;
  if (decision.kind === "granted") return;
  // The next write may go on while a person thinks about this one.
  call.turn?.markQueued();
  const isAllowed = await asking.confirm(`run \`${call.spoken.line}\`? it is marked destructive`);
  if (!isAllowed) throw fault("Declined", { name });
}

async function obtainLease(shop: Workshop, call: Call, isNeeded: boolean): Promise<Lease | null> {
  if (!isNeeded || call.inheritedLease !== null) return null;
  const sessions = shop.ports.sessions();
  sessions.ensure(call.facts.sessionId, shop.ports.root);
  await call.turn?.before;
  const acquired = sessions.acquire(call.facts.sessionId, call.scope.signal);
  call.turn?.markQueued();
  return acquired;
}

function bind(
  shop: Workshop,
  call: Call,
  { ready, lease }: { ready: Ready; lease: Lease | null },
): SessionBinding {
  const { name, effect } = ready.command.summary;
  return bindSession({
    sessionId: call.facts.sessionId,
    command: name,
    store: shop.ports.sessions,
    lease: effect === "read" ? null : lease,
    onSlotDenied: (slot) =>
      shop.recorder.note(
        "AccessDenied",
        call.facts,
        { what: `slot ${slot}`, by: name },
        call.cause,
      ),
    onChanged: (before, after) => {
      for (const { type, data } of sessionChanges(before, after))
        shop.recorder.note(type, call.facts, data, call.cause);
    },
  });
}

async function runAndCommit(
  shop: Workshop,
  call: Call,
  { ready, context, binding }: { ready: Ready; context: CommandContext; binding: SessionBinding },
): Promise<Ending> {
  const leave = shop.loopWatch.enter();
  try {
    const ending = await runHandler(ready.command, ready.args, { context, scope: call.scope });
    if (ending.kind === "ok") binding.commit();
    return ending;
  } finally {
    leave();
  }
}

function logLine(
  shop: Workshop,
  call: Call,
  { ready, message }: { ready: Ready; message: string },
): void {
  const { name, schema } = ready.command.summary;
  const text = maskForRecord(message, privateTexts(schema, ready.args));
  shop.recorder.note(
    "Diagnostic",
    call.facts,
    { code: "Log", where: name, message: text },
    call.cause,
  );
}

async function appendReasons(shop: Workshop, step: CommandStep, ending: Ending): Promise<Ending> {
  const { hooks } = shop.ports;
  if (hooks === null) return ending;
  const reasons = await hooks.after(step, {
    exitCode: ending.result.exitCode,
    error: ending.error,
  });
  if (reasons.length === 0) return ending;
  const before = ending.result.errorOutput;
  const text =
    typeof before === "string" || before === null ? before : Buffer.from(before).toString();
  const errorOutput = [...(text === null ? [] : [text]), ...reasons].join("\n");
  return { ...ending, result: { ...ending.result, errorOutput } };
}
