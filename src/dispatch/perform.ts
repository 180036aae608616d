// What happens to a command between its two events: the order of spec 1.3, the same for every surface.

import type { Command } from "../command/command.ts";
import type { Ask, CommandContext, NestedRequest } from "../command/context.ts";
import { fault } from "../command/fault.ts";
import type { CommandEntry, Definition } from "../command/registry.ts";
import type { Lease } from "../storage/stores.ts";
import { createAsking } from "./asking.ts";
import { isBelowAgent } from "./below-agent.ts";
import { decideConsent } from "./consent.ts";
import { type Ending, endWithResult } from "./ending.ts";
import type { LoopWatch } from "./loop-watch.ts";
import type { Outcome } from "./outcome.ts";
import type { CommandStep, DispatcherPorts } from "./ports.ts";
import { createRecordText, type RecordText } from "./record-text.ts";
import type { EventFacts, Recorder } from "./recorder.ts";
import type { Attachment, Request } from "./request.ts";
import { runHandler } from "./run-handler.ts";
import { isAtTerminal, makeContext } from "./running-context.ts";
import { checkBySchema } from "./schema-check.ts";
import type { Scope } from "./scope.ts";
import { bindSession, type SessionBinding } from "./session-binding.ts";
import { sessionChanges } from "./session-events.ts";
import { parseSpoken, type SpokenCommand } from "./spoken-command.ts";
import { untilAborted } from "./until-aborted.ts";
import type { WriteTurn } from "./write-order.ts";

/** The lease of the command that dispatched this one. */
export interface InheritedLease {
  readonly lease: Lease;
  /** It stays held while a person is being asked. */
  readonly isKept: boolean;
}

/** One dispatch on its way. */
export interface Call {
  readonly request: Request;
  readonly attachment: Attachment;
  readonly spoken: SpokenCommand;
  readonly facts: EventFacts & { readonly sessionId: string };
  /** The `CommandDispatched` event all others of this call follow from. */
  readonly cause: string;
  readonly scope: Scope;
  readonly inherited: InheritedLease | null;
  readonly turn: WriteTurn | null;
  readonly nest: (request: NestedRequest, held: InheritedLease | null) => Promise<Outcome>;
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
  const step = makeStep(call, command, await parseSpoken(command, call.spoken));
  const verdict = (await shop.ports.hooks?.before(step)) ?? { kind: "proceed" };
  call.scope.signal.throwIfAborted();
  if (verdict.kind === "veto") throw fault("Vetoed", { reason: verdict.reason });
  if (verdict.kind === "answer") return appendReasons(shop, step, endWithResult(verdict.result));
  const args = await rewrite(step, command, verdict.args);
  const { spoken, request } = call;
  const recordText = createRecordText(command.summary, { spoken, env: request.env });
  for (const given of [step.args, args]) recordText.concealArguments(given);
  return runUnderLease(shop, call, { command, args, at: found.at, step, recordText });
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
async function rewrite(
  step: CommandStep,
  command: Command,
  args?: Readonly<Record<string, unknown>> | readonly unknown[],
): Promise<unknown> {
  if (args === undefined) return step.args;
  return command.args === null ? args : checkBySchema(command.summary, command.args, args);
}

interface Ready {
  readonly command: Command;
  readonly args: unknown;
  readonly at: Definition;
  readonly step: CommandStep;
  readonly recordText: RecordText;
}

async function runUnderLease(shop: Workshop, call: Call, ready: Ready): Promise<Ending> {
  const { effect, holdLeaseWhileAsking } = ready.command.summary;
  const belowAgent = isBelowAgent(call.request.origin, call.request.env);
  const isKept = holdLeaseWhileAsking || call.inherited?.isKept === true;
  const holding = { lease: call.inherited?.lease ?? null };
  const ask = makeAsk(shop, call, {
    ready,
    belowAgent,
    lease: () => (isKept ? null : holding.lease),
  });
  await obtainConsent(shop, call, { ready, belowAgent, ask });
  const owned = await obtainLease(shop, call, effect !== "read");
  holding.lease ??= owned;
  try {
    call.scope.signal.throwIfAborted();
    const held = holding.lease === null ? null : { lease: holding.lease, isKept };
    const ending = await runAndCommit(shop, call, { ready, belowAgent, ask, held });
    return await appendReasons(shop, ready.step, ending);
  } finally {
    owned?.release();
  }
}

function makeAsk(
  shop: Workshop,
  call: Call,
  { ready, belowAgent, lease }: { ready: Ready; belowAgent: boolean; lease: () => Lease | null },
): Ask {
  return createAsking({
    name: ready.command.summary.name,
    interactors: call.attachment.interactors ?? [],
    isBelowAgent: belowAgent,
    signal: call.scope.signal,
    lease,
    onRaised: (kind, text) => {
      const question = ready.recordText.mask(text);
      shop.recorder.note("InteractionRaised", call.facts, { kind, question }, call.cause);
    },
    onAnswered: (kind, answer) =>
      shop.recorder.note("InteractionAnswered", call.facts, { kind, answer }, call.cause),
  });
}

async function obtainConsent(
  shop: Workshop,
  call: Call,
  { ready, belowAgent, ask }: { ready: Ready; belowAgent: boolean; ask: Ask },
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
    isAtTerminal: isAtTerminal(call.request, call.attachment),
  });
  if (decision.kind === "refused") throw decision.fault;
  if (decision.kind === "granted") return;
  // The next write may go on while a person thinks about this one.
  call.turn?.markQueued();
  const isAllowed = await ask.confirm(`run \`${call.spoken.line}\`? it is marked destructive`);
  if (!isAllowed) throw fault("Declined", { name });
}

async function obtainLease(shop: Workshop, call: Call, isNeeded: boolean): Promise<Lease | null> {
  if (!isNeeded || call.inherited !== null) return null;
  const sessions = shop.ports.sessions();
  sessions.ensure(call.facts.sessionId, shop.ports.root);
  if (call.turn !== null) await untilAborted(call.turn.before, call.scope.signal);
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

interface Running {
  readonly ready: Ready;
  readonly belowAgent: boolean;
  readonly ask: Ask;
  readonly held: InheritedLease | null;
}

async function runAndCommit(shop: Workshop, call: Call, running: Running): Promise<Ending> {
  const { command, args } = running.ready;
  const binding = bind(shop, call, { ready: running.ready, lease: running.held?.lease ?? null });
  const context = contextOf(shop, call, { ...running, binding });
  const leave = shop.loopWatch.enter();
  try {
    const ending = await runHandler(command, args, { context, scope: call.scope });
    if (ending.kind === "ok") binding.commit();
    return ending;
  } finally {
    leave();
  }
}

function contextOf(
  shop: Workshop,
  call: Call,
  { ready, belowAgent, ask, held, binding }: Running & { readonly binding: SessionBinding },
): CommandContext {
  const { summary } = ready.command;
  return makeContext({
    request: call.request,
    attachment: call.attachment,
    summary,
    line: call.spoken.line,
    correlationId: call.facts.correlationId,
    signal: call.scope.signal,
    session: binding.accessor,
    ask,
    belowAgent,
    dispatch: (nested) => call.nest(nested, held),
    log: (text) => {
      const message = ready.recordText.mask(text);
      const data = { code: "Log", where: summary.name, message };
      shop.recorder.note("Diagnostic", call.facts, data, call.cause);
    },
    onEnvironmentRead: ready.recordText.concealValue,
  });
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
