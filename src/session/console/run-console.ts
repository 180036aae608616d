// `adj console`: the session is chosen, the host is there, and the window is drawn as the terminal allows.
import { isatty } from "node:tty";
import type { CommandContext } from "../../core/command/context.ts";
import { type CommandResult, fail } from "../../core/command/result.ts";
import { joinWords } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { connectHost } from "../host/connect.ts";
import { chooseSession, type SessionChoice } from "./choose-session.ts";
import { announceWindow, type ConsoleSession, runConsoleCommand } from "./console-session.ts";

export interface ConsoleArguments extends SessionChoice {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
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
  const leave = isPerson ? announceWindow(session) : () => undefined;
  try {
    const refused = await setUp(session, args);
    if (refused !== null) return refused;
    if (isPerson && hasScreen(args, env))
      return await (await import("./screen-mode.ts")).runScreenMode(session);
    const { runPlainMode } = await import("./plain-mode.ts");
    return await runPlainMode(session, { asJson: args.json, isPerson });
  } finally {
    leave();
    await host.close();
  }
}

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
  { agent, model, param }: ConsoleArguments,
): Promise<CommandResult | null> {
  const lines = [
    ...(agent === undefined ? [] : [["provider", agent]]),
    ...(model === undefined ? [] : [["model", model]]),
    ...(param.length === 0 ? [] : [["params", ...param]]),
  ];
  for (const words of lines) {
    const { exitCode, stderr } = await runConsoleCommand(session, joinWords(words), {});
    if (exitCode === 0) continue;
    await session.context.write(stderr, "stderr");
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
