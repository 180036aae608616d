// The bus: one order of steps for every surface, one pair of events for every command that was found.
import { openScope, type Scope, untilAborted } from "../command/cancellation.ts";
import type { NestedRequest } from "../command/context.ts";
import { type Fault, fault } from "../command/fault.ts";
import type { Resolution } from "../command/registry.ts";
import type { Attachment, Outcome, Request } from "../command/request.ts";
import { monotonicMs } from "../command/time.ts";
import { maskSecrets } from "../secrets/mask.ts";
import { createWriteOrder, type WriteOrder, type WriteTurn } from "../store/local-queue.ts";
import { isAgentRequest, whyBelowAgent } from "./below-agent.ts";
import type { Dispatch, DispatcherPorts, SessionLease } from "./dispatch-context.ts";
import { type DispatchEnding, endWithFault, faultOf } from "./ending.ts";
import {
  createEventBus,
  createRecorder,
  type EventBus,
  type EventFacts,
  type Recorder,
} from "./events.ts";
import { type CommandInvocation, describeGiven, readInvocation } from "./invocation.ts";
import { performCommand } from "./perform.ts";
import { createLoopWatch, type LoopWatch } from "./run-command.ts";
import { sessionOfRoot } from "./session.ts";

const MAX_DEPTH = 16;

export interface Dispatcher {
  /** Every ending is an Outcome; it rejects only for a bug. */
  dispatch(request: Request, attachment?: Attachment): Promise<Outcome>;
  readonly events: EventBus;
}

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
  const order = createWriteOrder();
  const bus: Bus = { ports, recorder, loopWatch, order, resolving: Promise.resolve() };
  return {
    events,
    dispatch: (request, attachment = {}) => dispatchOn(bus, { request, attachment, parent: null }),
  };
}

/** What all dispatches of a program share. */
interface Bus {
  readonly ports: DispatcherPorts;
  readonly recorder: Recorder;
  readonly loopWatch: LoopWatch;
  readonly order: WriteOrder;
  /** Names are resolved one after another, so that writes keep the order they were sent in. */
  resolving: Promise<unknown>;
}

interface Incoming {
  readonly request: Request;
  readonly attachment: Attachment;
  readonly parent: Parent | null;
}

/** What a nested dispatch takes over from the one that made it. */
interface Parent {
  readonly depth: number;
  readonly cause: string;
  readonly lease: SessionLease | null;
}

/** A dispatch that has begun. */
interface OpenDispatch extends Incoming {
  readonly facts: Dispatch["facts"];
  readonly scope: Scope;
  readonly startedAt: number;
}

async function dispatchOn(bus: Bus, incoming: Incoming): Promise<Outcome> {
  const startedAt = monotonicMs();
  const { request } = incoming;
  const facts = {
    correlationId: request.correlationId ?? bus.ports.newId(),
    sessionId: request.sessionId ?? sessionOfRoot(bus.ports.root ?? request.cwd),
    origin: request.origin,
  };
  const open = { ...incoming, facts, scope: openScope(request.signal), startedAt };
  const { kind, result, error } = await findAndRun(bus, open);
  return {
    kind,
    result,
    ...(error === null ? {} : { error }),
    correlationId: facts.correlationId,
    durationMs: elapsedSince(startedAt),
  };
}

const elapsedSince = (startedAt: number): number =>
  Math.round((monotonicMs() - startedAt) * 1000) / 1000;

async function findAndRun(bus: Bus, open: OpenDispatch): Promise<DispatchEnding> {
  const { request, scope } = open;
  try {
    const invocation = readInvocation(request.command);
    const found = await resolveInOrder(bus, invocation.name);
    if (found.kind !== "unknown") return await runFound(bus, open, { found, invocation });
    bus.recorder.note("CommandUnknown", open.facts, { name: maskSecrets(found.name) });
    return endWithFault(unknownCommand(found));
  } catch (error) {
    return endWithFault(faultOf(nameOf(request), error, scope.signal));
  } finally {
    scope.close();
  }
}

/** The first word at most: the rest of a line may hold a secret. */
const nameOf = ({ command }: Request): string =>
  "line" in command ? (/\S+/.exec(command.line)?.[0] ?? "") : command.name;

function resolveInOrder(bus: Bus, name: string): Promise<Resolution> {
  const resolution = bus.resolving.then(() => bus.ports.catalog.resolve(name));
  // Whoever asked for it is told; the next only waits for its turn.
  bus.resolving = resolution.catch(() => undefined);
  return resolution;
}

function unknownCommand({ name, suggestions }: Extract<Resolution, { kind: "unknown" }>): Fault {
  const meant = OTHER_PROGRAMS.get(name);
  if (meant !== undefined)
    return fault("CommandUnknown", { name, suggestions: [] }, { hint: meant });
  return fault("CommandUnknown", { name, suggestions }, { hint: "list all with `adj commands`" });
}

/** What people type because other programs have it. */
const OTHER_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ["version", "`adj --version` prints it"],
  ["list", "`adj commands` lists them"],
  ["ls", "`adj commands` lists them"],
  ["status", "`adj doctor` looks over everything"],
  ["man", "the page is opened by `man adj`, and `adj help NAME` says the same"],
  ["history", "`adj log` has what happened, `adj runs` what agents ran"],
  ["worker", "`adj bench worker` works for a suite"],
]);

interface Found {
  readonly found: Exclude<Resolution, { kind: "unknown" }>;
  readonly invocation: CommandInvocation;
}

/** A command that was found makes exactly two events, whatever happens in between. */
async function runFound(
  bus: Bus,
  open: OpenDispatch,
  { found, invocation }: Found,
): Promise<DispatchEnding> {
  const { ports, recorder, loopWatch } = bus;
  const { request, facts, parent, scope } = open;
  const turn = takeTurn(bus, open, found);
  try {
    const name = found.kind === "found" ? found.entry.summary.name : found.name;
    const args = found.kind === "found" ? describeGiven(found.entry.summary, invocation) : null;
    const cause = recorder.open(facts, { data: { name, args }, cause: parent?.cause ?? null });
    const depth = (parent?.depth ?? 0) + 1;
    const isDeclared = isAgentRequest(request, ports.agentSigns);
    const why = () => whyBelowAgent(ports.agentSigns, ports.stateDir);
    const dispatch: Dispatch = {
      ...open,
      ports,
      loopWatch,
      invocation,
      turn,
      isBelowAgent: () => isDeclared || why() !== null,
      whyBelowAgent: () => (isDeclared ? null : why()),
      inherited: parent?.lease ?? null,
      note: (type, data) => recorder.note(type, facts, data, cause),
      nest: (nested, lease) => dispatchOn(bus, nestedIn(open, nested, { depth, cause, lease })),
    };
    const ending = await performInOrder(bus, dispatch, { found, depth }).catch((error: unknown) =>
      endWithFault(faultOf(name, error, scope.signal)),
    );
    recorder.close(facts, { name, ending, durationMs: elapsedSince(open.startedAt), cause });
    return ending;
  } finally {
    turn?.finish();
  }
}

function takeTurn(
  bus: Bus,
  { facts, parent }: OpenDispatch,
  found: Found["found"],
): WriteTurn | null {
  const isWrite = found.kind === "found" && found.entry.summary.effect !== "read";
  if (!isWrite || parent !== null) return null;
  return bus.order.enter(facts.sessionId, originKey(facts));
}

const originKey = ({ origin }: EventFacts): string => `${origin.surface} ${origin.agent ?? ""}`;

/** A read waits for the writes that its own origin sent before it. */
async function performInOrder(
  bus: Bus,
  dispatch: Dispatch,
  { found, depth }: { readonly found: Found["found"]; readonly depth: number },
): Promise<DispatchEnding> {
  const { facts, scope, turn } = dispatch;
  const usable = refuseUnusable(found, depth);
  if (turn === null && depth === 1) {
    const writes = bus.order.afterOwnWrites(facts.sessionId, originKey(facts));
    await untilAborted(writes, scope.signal);
  }
  scope.signal.throwIfAborted();
  return performCommand(dispatch, usable);
}

function refuseUnusable(
  found: Found["found"],
  depth: number,
): Extract<Resolution, { kind: "found" }> {
  if (found.kind === "broken") throw brokenCommand(found);
  const { name } = found.entry.summary;
  const hint = "look for a command that dispatches itself";
  if (depth > MAX_DEPTH) throw fault("TooDeep", { name, limit: MAX_DEPTH }, { hint });
  return found;
}

function brokenCommand({ name, passedOver }: Extract<Resolution, { kind: "broken" }>): Fault {
  const problem = passedOver.map(({ fault: raised }) => raised.message).join("; ");
  const hint = passedOver[0]?.fault.hint ?? null;
  return fault("CommandBroken", { name, problem }, hint === null ? {} : { hint });
}

function nestedIn(open: OpenDispatch, nested: NestedRequest, parent: Parent): Incoming {
  const { facts, scope } = open;
  const request: Request = {
    ...open.request,
    command: { name: nested.name, args: nested.args ?? [] },
    origin: { ...facts.origin, parent: facts.correlationId },
    sessionId: facts.sessionId,
    correlationId: facts.correlationId,
    cwd: nested.workingDirectory ?? open.request.cwd,
    signal:
      nested.signal === undefined ? scope.signal : AbortSignal.any([scope.signal, nested.signal]),
  };
  return { request, attachment: withoutScreen(open.attachment), parent };
}

/** A nested command's output belongs to the command that asked for it, not to the screen. */
function withoutScreen({ onOutput: _, pipedInput: __, ...rest }: Attachment): Attachment {
  return { ...rest, isInteractive: false };
}
