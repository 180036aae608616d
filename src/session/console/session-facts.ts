// What the console shows of its session and offers in its palette, read where it lies.
import { readdirSync } from "node:fs";
import { choose, chooseAgentName } from "../../agents/choice/choice.ts";
import { listCommands } from "../../core/command/registry.ts";
import { hiddenCommands } from "../../core/commands/command-rows.ts";
import { hasSucceeded } from "../../core/process/command-spec.ts";
import { readGit } from "../../core/process/read-git.ts";
import { modeInForce } from "../approvals/decide.ts";
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

// The files that `@` offers: those git knows of or would, without what it ignores.

interface FileSearch {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const MAX_FILES = 20_000;
const MAX_BYTES = 4 << 20;
const LIMIT_MS = 5_000;

/** By their paths from the folder; outside a repository only what lies in the folder itself. */
export async function listFilesToComplete({ cwd, env, signal }: FileSearch): Promise<string[]> {
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const outputLimit = { stdout: { bytes: MAX_BYTES, action: "discard" } } as const;
  const listed = await readGit(words, { cwd, env, signal, timeoutMs: LIMIT_MS, outputLimit });
  if (!hasSucceeded(listed)) return listFolder(cwd);
  const files = Buffer.from(listed.stdout).toString().split("\0").filter(Boolean);
  return [...new Set(files)].slice(0, MAX_FILES);
}

function listFolder(cwd: string): string[] {
  try {
    return readdirSync(cwd, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MAX_FILES);
  } catch {
    // A folder that may not be read has nothing to offer.
    return [];
  }
}
