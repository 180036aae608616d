// `adj send`: a prompt on its way from a shell, and the turn as it goes on.
import type { Params } from "../../agents/choice/param-words.ts";
import { listParams, paramValues } from "../../agents/choice/params.ts";
import { announceFlags } from "../../agents/choice/run-params.ts";
import { requireAdapter } from "../../agents/roster.ts";
import { createEventPrinter } from "../../agents/run/command-run.ts";
import { HANGUP } from "../../core/command/cancellation.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { Fault, fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { secretValues } from "../../core/secrets/mask.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import { type ConnectedHost, connectHost } from "../host/connect.ts";
import { concludeTurn, sendWatched, type WatchedTurn } from "../host/watch-turn.ts";
import { readParamChange } from "../param-change.ts";
import { describeQuestion } from "../question-text.ts";

interface SendArguments {
  readonly text: readonly string[];
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly param: readonly string[];
  readonly via?: string | undefined;
  readonly detach: boolean;
  readonly steer: boolean;
  readonly events: boolean;
}

export async function sendTurn(
  args: SendArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  if (args.agent !== undefined) await requireAdapter(args.agent);
  // Settings that cannot be read are told here, before a host takes the turn.
  await program.settings();
  const text = await readText(args, context);
  const env = context.env.forChild();
  const host = await connectHost({ program, env, signal: context.signal });
  try {
    if (args.steer) return await steerTurn({ host, text, env }, context);
    return await sendAndFollow({ args, text, env, host }, context, program);
  } finally {
    await host.close();
  }
}

async function readText({ text }: SendArguments, context: CommandContext): Promise<string> {
  const piped = context.hasPipedInput ? Buffer.from(await context.readInput()).toString() : "";
  const prompt = [text.join(" "), piped].filter((part) => part.trim() !== "").join("\n\n");
  if (prompt !== "") return prompt;
  const hint = "give it as words, or pipe it in";
  throw fault("ArgumentsInvalid", { command: "send", problem: "there is no prompt" }, { hint });
}

async function steerTurn(
  { host, text, env }: Omit<Sending, "args">,
  { session }: CommandContext,
): Promise<CommandResult> {
  if (await host.steer(session.id, text, env)) return ok("handed to the turn that runs");
  const problem = "no turn runs whose agent takes words in between";
  throw fault("ArgumentsInvalid", { command: "send", problem }, { hint: "leave `--steer` out" });
}

interface Sending {
  readonly args: SendArguments;
  readonly text: string;
  readonly env: Record<string, string>;
  readonly host: ConnectedHost;
}

async function sendAndFollow(
  { args, text, env, host }: Sending,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  if (args.detach && host.isInside)
    throw fault(
      "ArgumentsInvalid",
      { command: "send", problem: "`--detach` needs a host that stays, and none runs here" },
      { hint: "start one with `adj serve`" },
    );
  const params = readParams(args.param, env);
  const watched = await sendWatched(host, {
    sessionId: context.session.id,
    text,
    env,
    options: {
      cwd: context.workingDirectory,
      root: program.root,
      agent: args.agent ?? null,
      model: args.model ?? null,
      params,
      via: args.via ?? null,
    },
  });
  const { turn } = watched;
  await announceParams(params, context, program);
  // Closing a window ends nothing that lives without it.
  const left = Promise.withResolvers<never>();
  const cancel = () => {
    const { reason } = context.signal;
    const isLeft = reason instanceof Fault && reason.cause === HANGUP && !host.isInside;
    if (isLeft) left.reject(reason);
    else void host.cancel(turn.id);
  };
  context.signal.addEventListener("abort", cancel);
  try {
    if (args.detach) return describeQueued(turn);
    return await Promise.race([showTurn(watched, context, args.events), left.promise]);
  } finally {
    context.signal.removeEventListener("abort", cancel);
    await watched.leave();
  }
}

const describeQueued = ({ id, number }: Turn): CommandResult =>
  ok(`queued as turn ${number}; look with \`adj questions\` and \`adj sessions\``, {
    turn: id,
    number,
  });

function readParams(assignments: readonly string[], env: Sending["env"]): Params {
  const words = { assignments, unset: [], reset: false };
  const read = readParamChange(words, secretValues(env));
  if (read.kind === "accepted") return read.value.set;
  throw fault("ArgumentsInvalid", { command: "send", problem: read.problem }, { hint: read.hint });
}

/** Once the turn is in the queue: it is resolved with them whatever becomes of this window. */
async function announceParams(
  flags: Params,
  context: CommandContext,
  program: Program,
): Promise<void> {
  const { params: session } = await context.session.get();
  const { params: settings } = await program.settings();
  announceFlags(flags, paramValues(listParams({ session, settings })), { context, program });
}

async function showTurn(
  watched: WatchedTurn,
  context: CommandContext,
  asEvents: boolean,
): Promise<CommandResult> {
  const print = createEventPrinter(context, asEvents);
  const ended = await watched.untilEnded(async (event) => {
    if (event.kind === "progress") print(event.event);
    if (event.kind === "notice") await tell(context, event.text);
    if (event.kind === "question") await tell(context, describeQuestion(event.question));
  });
  return concludeTurn(ended);
}

const tell = ({ write }: CommandContext, text: string): Promise<void> =>
  write(`adj: ${text}\n`, "stderr");
