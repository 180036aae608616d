// `adj console`: the session is chosen, the host is there, and the window is drawn as the terminal allows.
import { isatty } from "node:tty";
import { type CommandContext, EMPTY_SESSION } from "../../core/command/context.ts";
import { fault, misuse } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { type CommandResult, fail } from "../../core/command/result.ts";
import { joinWords } from "../../core/command/words.ts";
import type { BundledContext, Program } from "../../core/commands/bundled.ts";
import { sessionOfRoot } from "../../core/dispatch/session.ts";
import { formatMessage } from "../../core/terminal/render.ts";
import { connectHost } from "../host/connect.ts";
import { type ConsoleSession, runConsoleCommand } from "./console-session.ts";
import { WINDOW } from "./state/transcript-lines.ts";

interface ConsoleArguments extends SessionChoice {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly workflow?: string | undefined;
  readonly param: readonly string[];
  readonly via?: string | undefined;
  readonly shell?: string | undefined;
  readonly plain: boolean;
  readonly json: boolean;
}

export async function runConsole(
  args: ConsoleArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  if (args.shell !== undefined) return useShell(args.shell, context);
  // Whoever is below an agent may send prompts and must not answer for the person.
  const isPerson = context.isInteractive && !context.isBelowAgent;
  const env = consoleEnvironment(args, context);
  const { id, isOld } = await chooseSession(args, context, program);
  const host = await connectHost({ program, env, signal: context.signal });
  const session: ConsoleSession = {
    ...{ id, isOld, host, program, context },
    env: { ...env, ADJ_SESSION_ID: id },
    via: args.via ?? null,
  };
  if (context.isInteractive && !isPerson) await context.write(formatMessage(NOBODY), "stderr");
  try {
    const refused = await setUp(session, args);
    if (refused !== null) return refused;
    if (isPerson && hasScreen(args, env))
      return await (await import("./screen-mode.ts")).runScreenMode(session);
    const { runPlainMode } = await import("./plain-mode.ts");
    const { isInteractive: hasMark } = context;
    return await runPlainMode(session, { asJson: args.json, isPerson, hasMark });
  } finally {
    await host.close();
  }
}

const NOBODY =
  "this terminal may be an agent's, so prompts are sent line by line and questions wait for a person's window; `adj questions` says why";

async function useShell(command: string, context: CommandContext): Promise<CommandResult> {
  const { output, errorOutput, exitCode } = await context.tool("shell", { command });
  const success = exitCode === 0;
  return { success, output, errorOutput, exitCode, metadata: null };
}

/** A flag counts over the environment, and what the person sets later counts over the flag. */
function consoleEnvironment(
  { agent, model }: ConsoleArguments,
  { env }: CommandContext,
): Record<string, string> {
  const overruled = [
    ...(agent === undefined ? [] : ["ADJ_AGENT", "ADJ_MODEL"]),
    ...(model === undefined ? [] : ["ADJ_MODEL"]),
  ];
  const isLeft = ([name]: [string, string]) => !overruled.includes(name);
  return Object.fromEntries(Object.entries(env.forChild()).filter(isLeft));
}

/** What the flags say is set by the commands that set it later, so it is checked as they do; null where all fits. */
async function setUp(
  session: ConsoleSession,
  { agent, model, param, workflow }: ConsoleArguments,
): Promise<CommandResult | null> {
  const { context } = session;
  const { isInteractive, ask } = context;
  const lent = isInteractive ? { isInteractive, interactors: [{ ...ask, name: WINDOW }] } : {};
  const lines = [
    ...(agent === undefined ? [] : [["provider", agent]]),
    ...(model === undefined ? [] : [["model", model]]),
    ...(param.length === 0 ? [] : [["params", ...param]]),
    ...(workflow === undefined ? [] : [["workflow", "attach", workflow]]),
  ];
  for (const words of lines) {
    const { exitCode, stderr } = await runConsoleCommand(session, joinWords(words), lent);
    if (exitCode === 0) continue;
    await context.write(stderr, "stderr");
    return fail("", exitCode);
  }
  return null;
}

function hasScreen(
  { plain, json }: ConsoleArguments,
  { TERM = "" }: Readonly<Record<string, string>>,
): boolean {
  return !plain && !json && isatty(1) && TERM !== "" && TERM !== "dumb";
}

// Which session a console is a window of: a new one, the one that is named, or the last one of this project.

interface SessionChoice {
  readonly session?: string | undefined;
  readonly continue: boolean;
}

interface ChosenSession {
  readonly id: string;
  /** It has turns already, perhaps. */
  readonly isOld: boolean;
}

async function chooseSession(
  { session, continue: goesOn }: SessionChoice,
  context: CommandContext,
  program: Program,
): Promise<ChosenSession> {
  if (session !== undefined && goesOn)
    throw misuse("console", "`--session` and `--continue` name two sessions");
  if (session !== undefined)
    return { id: program.sessions().findByName(session) ?? session, isOld: true };
  if (goesOn) return { id: findLast(program), isOld: true };
  const usual = sessionOfRoot(program.root);
  if (context.session.id !== usual) return { id: context.session.id, isOld: true };
  const id = newId();
  await beginLike(usual, id, { context, program });
  return { id, isOld: false };
}

/** The session of this project in which a prompt was sent last. */
function findLast(program: Program): string {
  const store = program.sessions();
  const talked = store
    .list()
    .filter(({ root }) => root === program.root)
    .flatMap(({ id }) => store.turns.list(id, 1))
    .toSorted((one, other) => other.queuedAt.localeCompare(one.queuedAt));
  const [last] = talked;
  if (last !== undefined) return last.sessionId;
  throw fault(
    "InputInvalid",
    { what: "this project", problem: "no session of it has a turn to go on from" },
    { hint: "leave `--continue` out" },
  );
}

/** A new conversation begins with the agent, the model and the params that count elsewhere in this project. */
async function beginLike(
  usual: string,
  id: string,
  { context, program }: BundledContext,
): Promise<void> {
  const store = program.sessions();
  const { agent, model, params } = store.read(usual);
  if (agent === null && model === null && Object.keys(params).length === 0) return;
  store.ensure(id, program.root);
  const lease = await store.acquire(id, context.signal);
  try {
    store.commit(lease, { state: { ...EMPTY_SESSION, agent, model, params } });
  } finally {
    lease.release();
  }
}
