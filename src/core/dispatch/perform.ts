// What happens to a command between its two events: one order of steps for every surface.
import type {
  Ask,
  CommandContext,
  ContextEnvironment,
  NestedRequest,
  SessionAccessor,
} from "../command/context.ts";
import type { Command, CommandSummary, DeclaredEnvironment } from "../command/definition.ts";
import { fault } from "../command/fault.ts";
import { isForPerson } from "../command/person.ts";
import type { CommandEntry, Definition } from "../command/registry.ts";
import type { Attachment, Request } from "../command/request.ts";
import type { Output } from "../command/result.ts";
import { childEnvironment } from "../process/environment.ts";
import { createAsking, decideConsent, interactorsOfPerson } from "./consent.ts";
import type {
  BeforeVerdict,
  CommandActions,
  CommandStep,
  Dispatch,
  DispatchContext,
} from "./dispatch-context.ts";
import { type DispatchEnding, endWithResult } from "./ending.ts";
import { checkBySchema, createRecordText, parseGivenArguments } from "./invocation.ts";
import { runCommandCode } from "./run-command.ts";
import { bindSession, openLease } from "./session.ts";

/** Throws where the command may not run; whatever its code does is an ending. */
export async function performCommand(
  dispatch: Dispatch,
  { entry, at }: { readonly entry: CommandEntry; readonly at: Definition },
): Promise<DispatchEnding> {
  const command = await dispatch.ports.catalog.load(entry, at);
  const given = await parseGivenArguments(command, dispatch.invocation);
  refuseAgent(dispatch, command.summary, given);
  const step = describeStep(dispatch, command.summary, given);
  const verdict = await askHooks(dispatch, step);
  if (verdict.kind === "answer")
    return appendReasons(dispatch, step, endWithResult(verdict.result));
  const args = await takeRewritten(command, given, verdict.args);
  refuseAgent(dispatch, command.summary, args);
  const recordText = createRecordText(command.summary, dispatch, [given, args]);
  const lease = openLease(dispatch, command.summary);
  const context = { ...dispatch, command, at, args, recordText, lease };
  const ask = createAsking(context);
  await obtainConsent(context, ask);
  await lease.acquire();
  try {
    dispatch.scope.signal.throwIfAborted();
    return await appendReasons(dispatch, step, await runAndCommit(context, ask));
  } finally {
    lease.release();
  }
}

/** What a person grants, widens or takes back is neither asked for nor answered below an agent. */
function refuseAgent(dispatch: Dispatch, summary: CommandSummary, args: unknown): void {
  const isYes = dispatch.attachment.yes === true;
  if (!isYes && !isForPerson(summary, args)) return;
  if (!dispatch.isBelowAgent()) return;
  const what = isYes ? `${summary.name} --yes` : summary.name;
  const why = dispatch.whyBelowAgent();
  dispatch.note("AccessDenied", { what, problem: why ?? "an agent asked for it" });
  const hint = `run it yourself, outside the agent${why === null ? "" : `; ${why}`}`;
  throw fault("Required", { name: summary.name }, { hint });
}

function describeStep(dispatch: Dispatch, command: CommandSummary, args: unknown): CommandStep {
  const { request, facts, invocation, scope } = dispatch;
  return { command, args, line: invocation.line, cwd: request.cwd, signal: scope.signal, ...facts };
}

async function askHooks(
  { ports, scope }: Dispatch,
  step: CommandStep,
): Promise<Exclude<BeforeVerdict, { kind: "veto" }>> {
  const verdict: BeforeVerdict = (await ports.hooks?.before(step)) ?? { kind: "proceed" };
  scope.signal.throwIfAborted();
  if (verdict.kind === "veto") throw fault("Vetoed", { reason: verdict.reason });
  return verdict;
}

/** Arguments that a hook rewrote are checked like typed ones. */
async function takeRewritten(
  command: Command,
  given: unknown,
  rewritten: Extract<BeforeVerdict, { kind: "proceed" }>["args"],
): Promise<unknown> {
  if (rewritten === undefined) return given;
  if (command.args === null) return rewritten;
  return checkBySchema(command.summary, command.args, rewritten);
}

async function obtainConsent(context: DispatchContext, ask: Ask): Promise<void> {
  const { attachment, ports, request } = context;
  const { name, safety } = context.command.summary;
  if (safety !== "destructive") return;
  const decision = decideConsent({
    name,
    isDestructive: true,
    isForPerson: isForPerson(context.command.summary, context.args),
    isYesGiven: attachment.yes === true,
    isBelowAgent: context.isBelowAgent(),
    isApproved: ports.sessions().isApproved(ports.root, name),
    isNamedByStage: isNamedByStage(context, name),
    canAsk: (attachment.interactors ?? []).length > 0,
    hasInbox: interactorsOfPerson(true, attachment.interactors ?? []).length > 0,
    isAtTerminal: isAtTerminal(request, attachment),
  });
  if (decision.kind === "refused") throw decision.fault;
  if (decision.kind === "granted") return;
  // The next write may go on while a person thinks about this one.
  context.turn?.markQueued();
  const { line } = context.invocation;
  const isAllowed = await ask.confirm(`run \`${line}\`? it is marked destructive`);
  if (!isAllowed) throw fault("Declined", { name });
}

/** Never below an agent: what its own turn runs is no person's word. */
function isNamedByStage(context: DispatchContext, name: string): boolean {
  const { ports, facts } = context;
  const stage = ports.sessions().stages.read(facts.sessionId);
  return stage?.commands.includes(name) === true && !context.isBelowAgent();
}

async function runAndCommit(context: DispatchContext, ask: Ask): Promise<DispatchEnding> {
  const session = bindSession(context);
  const commandContext = makeCommandContext(context, { session: session.accessor, ask });
  const leave = context.loopWatch.enter();
  try {
    const ending = await runCommandCode(context, commandContext);
    if (ending.kind === "ok") session.commit();
    return ending;
  } finally {
    leave();
  }
}

/** Hooks after a command may add to what it says on stderr; how it ended stays. */
async function appendReasons(
  { ports: { hooks } }: Dispatch,
  step: CommandStep,
  ending: DispatchEnding,
): Promise<DispatchEnding> {
  const { result, error } = ending;
  const reasons = (await hooks?.after(step, { exitCode: result.exitCode, error })) ?? [];
  if (reasons.length === 0) return ending;
  const before = result.errorOutput;
  const text =
    typeof before === "string" || before === null ? before : Buffer.from(before).toString();
  const errorOutput = [...(text === null ? [] : [text]), ...reasons].join("\n");
  return { ...ending, result: { ...result, errorOutput } };
}

// The context a running command is given, made from what the surface lent and what the command declared.

/** A person sits at the terminal this dispatch came from. */
const isAtTerminal = ({ origin }: Request, { isInteractive }: Attachment): boolean =>
  isInteractive === true && (origin.surface === "cli" || origin.surface === "console");

function makeCommandContext(
  context: DispatchContext,
  { session, ask }: { readonly session: SessionAccessor; readonly ask: Ask },
): CommandContext {
  const { request, attachment, command, recordText, facts } = context;
  const actions = bindActions(context, () => commandContext);
  const commandContext: CommandContext = Object.freeze({
    mode: request.origin.surface,
    rawCommand: context.invocation.line,
    workingDirectory: request.cwd,
    root: context.ports.root ?? request.cwd,
    isInteractive: isAtTerminal(request, attachment),
    hasPipedInput: attachment.pipedInput !== undefined && request.origin.surface === "cli",
    readInput: async () => attachment.pipedInput?.() ?? new Uint8Array(),
    get isBelowAgent() {
      return context.isBelowAgent();
    },
    get isAgreed() {
      return attachment.yes === true && !context.isBelowAgent();
    },
    signal: context.scope.signal,
    correlationId: facts.correlationId,
    session,
    ask,
    env: bindEnvironment(context),
    dispatch: (nested: NestedRequest) => context.nest(nested, context.lease),
    run: async (...[argv, options = {}]: Parameters<CommandContext["run"]>) => {
      const { runContextProgram } = await import("./context-run.ts");
      return runContextProgram(commandContext, argv, options);
    },
    ...actions,
    log: (text: string) => {
      const message = recordText.mask(text);
      context.note("Diagnostic", { code: "Log", where: command.summary.name, message });
    },
    progress: (step: number | string) => attachment.onProgress?.(step),
    write: async (chunk: Output, channel: "stdout" | "stderr" = "stdout") =>
      attachment.onOutput?.(typeof chunk === "string" ? Buffer.from(chunk) : chunk, channel),
  });
  return commandContext;
}

function bindActions(
  { request, command, ports, scope, lease }: DispatchContext,
  self: () => CommandContext,
): Pick<CommandContext, "tool" | "agent"> {
  const call = () => {
    scope.signal.throwIfAborted();
    return { context: self(), command: command.summary, env: request.env, lease: lease.held };
  };
  const actions = (): CommandActions => {
    if (ports.actions === undefined) throw new TypeError("this dispatcher has no tools");
    return ports.actions;
  };
  return {
    tool: async (name, args) => actions().tool(call(), name, args),
    agent: async (prompt, options = {}) => actions().agent(call(), prompt, options),
  };
}

const declares = (declared: DeclaredEnvironment, name: string): boolean =>
  Array.isArray(declared) ? declared.includes(name) : Object.hasOwn(declared, name);

/** The value that the definition itself sets. */
function declaredValue(declared: DeclaredEnvironment, name: string): string | undefined {
  if (Array.isArray(declared)) return undefined;
  return Object.entries(declared).find(([own]) => own === name)?.[1];
}

function bindEnvironment({
  request,
  command: { summary },
  facts,
  recordText,
}: DispatchContext): ContextEnvironment {
  return {
    get: (name) => {
      if (!summary.inheritEnv && !declares(summary.env, name))
        throw fault(
          "EnvUndeclared",
          { command: summary.name, name },
          { hint: `add \`env: ["${name}"]\` to the command` },
        );
      const value = declaredValue(summary.env, name) ?? request.env[name];
      recordText.concealValue(value);
      return value;
    },
    forChild: () => {
      const wanted = { source: request.env, declared: summary.env };
      const given = childEnvironment({ ...wanted, inheritEnv: summary.inheritEnv });
      const base = childEnvironment({ ...wanted, inheritEnv: false });
      for (const [name, value] of Object.entries(given))
        if (!Object.hasOwn(base, name)) recordText.concealValue(value);
      return {
        ...given,
        ADJ_SESSION_ID: facts.sessionId,
        ADJ_CORRELATION_ID: facts.correlationId,
      };
    },
  };
}
