// The bus: one order of steps for every surface, one pair of events for every command that was found.
import type { NestedRequest } from "../command/context.ts";
import { type Fault, fault } from "../command/fault.ts";
import type { Resolution } from "../command/registry.ts";
import { maskSecrets } from "../command/secrets.ts";
import { monotonicMs } from "../monotonic-ms.ts";
import { type Ending, endWithFault, faultOf } from "./ending.ts";
import { createEventBus, type EventBus } from "./event-bus.ts";
import { createLoopWatch } from "./loop-watch.ts";
import type { Outcome } from "./outcome.ts";
import { type Call, type InheritedLease, performCommand, type Workshop } from "./perform.ts";
import type { DispatcherPorts } from "./ports.ts";
import { createRecorder, type EventFacts } from "./recorder.ts";
import type { Attachment, Request } from "./request.ts";
import { openScope } from "./scope.ts";
import { sessionOfRoot } from "./session-id.ts";
import { describeGiven, readSpoken, type SpokenCommand } from "./spoken-command.ts";
import { untilAborted } from "./until-aborted.ts";
import { createWriteOrder, type WriteOrder } from "./write-order.ts";

const DEEPEST = 16;

export interface Dispatcher {
  /** Every ending is an Outcome; it rejects only for a bug. */
  dispatch(request: Request, attachment?: Attachment): Promise<Outcome>;
  readonly events: EventBus;
}

/** What a nested dispatch takes over from the one that made it. */
interface Parent {
  readonly depth: number;
  readonly cause: string;
  readonly held: InheritedLease | null;
}

type Found = Exclude<Resolution, { kind: "unknown" }>;

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const events = createEventBus((event) => ports.audit.append(event));
  const recorder = createRecorder(ports.audit, events, ports.now);
  const nobody: EventFacts = {
    correlationId: "-",
    sessionId: null,
    origin: { surface: "library" },
  };
  const loopWatch = createLoopWatch((blockedMs) =>
    recorder.note("Diagnostic", nobody, { code: "LoopBlocked", where: "handler", blockedMs }),
  );
  const bus = {
    shop: { ports, recorder, loopWatch },
    order: createWriteOrder(),
    resolving: Promise.resolve(),
  };
  return {
    events,
    dispatch: (request, attachment = {}) => dispatchOn(bus, request, { attachment, parent: null }),
  };
}

interface Bus {
  readonly shop: Workshop;
  readonly order: WriteOrder;
  /** Names are resolved one after another, so that writes keep the order they were sent in. */
  resolving: Promise<unknown>;
}

async function dispatchOn(
  bus: Bus,
  request: Request,
  { attachment, parent }: { attachment: Attachment; parent: Parent | null },
): Promise<Outcome> {
  const { ports, recorder } = bus.shop;
  const startedAt = monotonicMs();
  const facts = {
    correlationId: request.correlationId ?? ports.newId(),
    sessionId: request.sessionId ?? sessionOfRoot(ports.root ?? request.cwd),
    origin: request.origin,
  };
  const conclude = (ending: Ending): Outcome => ({
    kind: ending.kind,
    result: ending.result,
    ...(ending.error === null ? {} : { error: ending.error }),
    correlationId: facts.correlationId,
    durationMs: Math.round((monotonicMs() - startedAt) * 1000) / 1000,
  });
  const scope = openScope(request.signal);
  try {
    const spoken = readSpoken(request.command);
    const found = await resolveInOrder(bus, spoken.name);
    if (found.kind === "unknown") {
      recorder.note("CommandUnknown", facts, { name: maskSecrets(found.name) });
      return conclude(endWithFault(unknownCommand(found)));
    }
    const journey = { request, attachment, parent, facts, scope, spoken };
    return conclude(await runFound(bus, found, { ...journey, startedAt }));
  } catch (error) {
    return conclude(endWithFault(faultOf(nameOf(request), error, scope.signal)));
  } finally {
    scope.close();
  }
}

/** The first word at most: the rest of a line may hold a secret. */
const nameOf = ({ command }: Request): string =>
  "line" in command ? (/\S+/.exec(command.line)?.[0] ?? "") : command.name;

function resolveInOrder(bus: Bus, name: string): Promise<Resolution> {
  const resolution = bus.resolving.then(() => bus.shop.ports.catalog.resolve(name));
  bus.resolving = resolution.catch(() => undefined);
  return resolution;
}

function unknownCommand({ name, suggestions }: Extract<Resolution, { kind: "unknown" }>): Fault {
  return fault("CommandUnknown", { name, suggestions }, { hint: "list all with `adj commands`" });
}

interface Journey {
  readonly request: Request;
  readonly attachment: Attachment;
  readonly parent: Parent | null;
  readonly facts: Call["facts"];
  readonly scope: Call["scope"];
  readonly spoken: SpokenCommand;
  readonly startedAt: number;
}

async function runFound(bus: Bus, found: Found, journey: Journey): Promise<Ending> {
  const turn = takeTurn(bus, found, journey);
  try {
    return await runRecorded(bus, found, { ...journey, turn });
  } finally {
    turn?.finish();
  }
}

/** From here on there are exactly two events, whatever happens in between. */
async function runRecorded(
  bus: Bus,
  found: Found,
  journey: Journey & Pick<Call, "turn">,
): Promise<Ending> {
  const { recorder } = bus.shop;
  const { facts, parent, spoken, turn } = journey;
  const name = found.kind === "found" ? found.entry.summary.name : found.name;
  const args = found.kind === "found" ? describeGiven(found.entry.summary, spoken) : null;
  const cause = recorder.open(facts, {
    data: { name, args },
    cause: parent?.cause ?? null,
  });
  let ending: Ending;
  try {
    const depth = (parent?.depth ?? 0) + 1;
    const usable = refuseUnusable(found, name, depth);
    if (turn === null && parent === null)
      await untilAborted(
        bus.order.afterOwnWrites(facts.sessionId, originKey(journey)),
        journey.scope.signal,
      );
    journey.scope.signal.throwIfAborted();
    const nest: Call["nest"] = (nested, held) =>
      dispatchNested(bus, journey, { nested, parent: { depth, cause, held } });
    const call = { ...journey, cause, inherited: parent?.held ?? null, nest };
    ending = await performCommand(bus.shop, call, usable);
  } catch (error) {
    ending = endWithFault(faultOf(name, error, journey.scope.signal));
  }
  const durationMs = Math.round((monotonicMs() - journey.startedAt) * 1000) / 1000;
  recorder.close(facts, { name, ending, durationMs, cause });
  return ending;
}

const originKey = ({ request: { origin } }: Journey): string =>
  `${origin.surface} ${origin.agent ?? ""}`;

function takeTurn(bus: Bus, found: Found, journey: Journey): Call["turn"] {
  const isWrite = found.kind === "found" && found.entry.summary.effect !== "read";
  if (!isWrite || journey.parent !== null) return null;
  return bus.order.enter(journey.facts.sessionId, originKey(journey));
}

function refuseUnusable(
  found: Found,
  name: string,
  depth: number,
): Extract<Found, { kind: "found" }> {
  if (found.kind === "broken") throw brokenCommand(found);
  const hint = "look for a command that dispatches itself";
  if (depth > DEEPEST) throw fault("TooDeep", { name, limit: DEEPEST }, { hint });
  return found;
}

function brokenCommand({ name, passedOver }: Extract<Found, { kind: "broken" }>): Fault {
  const problem = passedOver.map(({ fault: raised }) => raised.message).join("; ");
  const hint = passedOver[0]?.fault.hint ?? null;
  return fault("CommandBroken", { name, problem }, hint === null ? {} : { hint });
}

function dispatchNested(
  bus: Bus,
  journey: Journey,
  { nested, parent }: { nested: NestedRequest; parent: Parent },
): Promise<Outcome> {
  const { request, facts, scope, attachment } = journey;
  const origin = { ...request.origin, parent: facts.correlationId };
  return dispatchOn(
    bus,
    {
      ...request,
      command: { name: nested.name, args: nested.args ?? [] },
      origin,
      sessionId: facts.sessionId,
      correlationId: facts.correlationId,
      cwd: nested.workingDirectory ?? request.cwd,
      signal:
        nested.signal === undefined ? scope.signal : AbortSignal.any([scope.signal, nested.signal]),
    },
    { attachment: withoutScreen(attachment), parent },
  );
}

/** A nested command's output belongs to the command that asked for it, not to the screen. */
function withoutScreen({ onOutput: _, pipedInput: __, ...rest }: Attachment): Attachment {
  return { ...rest, isInteractive: false };
}
