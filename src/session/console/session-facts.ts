// What the console shows of its session and offers in its palette, read where it lies.
import { choose, chooseAgentName } from "../../agents/choice/choice.ts";
import { listCommands } from "../../core/command/registry.ts";
import { hiddenCommands } from "../../core/commands/command-rows.ts";
import { modeInForce } from "../tool-approval.ts";
import type { ConsoleSession } from "./console-session.ts";
import {
  type ConsoleState,
  createConsoleState,
  type SessionStatus,
} from "./state/console-state.ts";
import type { PaletteSources } from "./state/palette.ts";

/** Of a session that is gone on with, so many turns are shown. */
export const RECALLED_TURNS = 20;

export async function openConsoleState(session: ConsoleSession): Promise<ConsoleState> {
  const { host, id, isOld } = session;
  const turns = isOld ? await host.turns(id, RECALLED_TURNS) : [];
  const { columns = 80, rows = 24 } = process.stdout;
  return createConsoleState({
    status: await readStatus(session),
    size: { columns, rows },
    isInside: host.isInside,
    ...(await readPaletteCommands(session)),
    history: turns.map(({ prompt }) => prompt),
  });
}

export async function readPaletteCommands({
  id,
  program,
}: Pick<ConsoleSession, "id" | "program">): Promise<Pick<PaletteSources, "commands" | "hidden">> {
  const found = listCommands(await program.layers());
  const commands = found.flatMap((one) => (one.kind === "found" ? [one.entry.summary] : []));
  return { commands, hidden: hiddenCommands(program, id) };
}

export async function readStatus({ id, program, env }: ConsoleSession): Promise<SessionStatus> {
  const state = program.sessions().read(id);
  const settings = await program.settings();
  const attached = program.sessions().stages.read(id);
  const { ADJ_AGENT, ADJ_MODEL } = env;
  return {
    agent: chooseAgentName({
      environment: ADJ_AGENT,
      session: state.agent,
      settings: settings.agent,
    }).value,
    model: choose({ environment: ADJ_MODEL, session: state.model, settings: settings.model }).value,
    mode: modeInForce(state, settings, attached).mode,
    stage: attached === null ? null : `${attached.workflow}: ${attached.stage}`,
  };
}
