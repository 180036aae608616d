// `adj resident serve`, which nobody types: the process in the background that answers hooks.
import { homedir } from "node:os";
import type { EventType, NewEvent } from "../../core/command/event.ts";
import { Fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { parseDuration } from "../../core/command/time.ts";
import { VERSION } from "../../core/command/version.ts";
import { markMachine, seesOtherFiles } from "../../core/process/namespaces.ts";
import { findPaths } from "../../core/project/paths.ts";
import { openAudit } from "../../core/store/audit.ts";
import { selectHookVariables } from "../handlers/environment.ts";
import { entryBeside, type HookProgram } from "./cold-parts.ts";
import { type ResidentOptions, runResident } from "./run.ts";
import { IDLE_VARIABLE, REPLACES_VARIABLE, startResident } from "./start.ts";
import { createThreadAnswerer } from "./thread-answerer.ts";

const DEFAULT_IDLE_MS = 30 * 60 * 1_000;

export async function serveHooks(program: HookProgram): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());
  const { env } = process;
  const { stateDir } = findPaths(env, env.HOME || homedir());
  // Other files may be mounted there over the guards that it would answer by, for everybody outside: calls stay cold.
  if (seesOtherFiles(stateDir)) return;
  markMachine(stateDir);
  const surroundings = residentParts(program.program, stateDir);
  const file = entryBeside(program.program, "hook-worker");
  const answerer = createThreadAnswerer({ ...surroundings, file, isWarm: true });
  answerer.warmUp();
  await runResident({
    ...surroundings,
    version: VERSION,
    answer: answerer.answer,
    idleMs: parseDuration(env[IDLE_VARIABLE] ?? "") ?? DEFAULT_IDLE_MS,
    replaces: env[REPLACES_VARIABLE] ?? null,
    signal: stop.signal,
  });
  await answerer.close();
}

type ResidentSurroundings = Omit<
  ResidentOptions,
  "version" | "answer" | "idleMs" | "replaces" | "signal"
>;

function residentParts(entry: readonly string[], stateDir: string): ResidentSurroundings {
  const { env } = process;
  const start = { stateDir, version: VERSION, entry, env };
  return {
    stateDir,
    env: selectHookVariables(env),
    // The entry stands for all: the build writes it last, and which other files there are may change with a version.
    codeFiles: entry.slice(-1),
    startSuccessor: (replaces) => void startResident(start, replaces),
    noteRefusal: (problem) =>
      recordNote(stateDir, noteOf("AccessDenied", { what: "resident", problem })),
    noteProblem: (message) =>
      recordNote(stateDir, noteOf("Diagnostic", { code: "Resident", where: "resident", message })),
  };
}

const noteOf = (type: EventType, data: NewEvent["data"]): NewEvent => ({
  time: new Date().toISOString(),
  type,
  correlationId: newId(),
  sessionId: null,
  origin: { surface: "hook" },
  data,
});

function recordNote(stateDir: string, event: NewEvent): void {
  try {
    const audit = openAudit(stateDir);
    audit.append(event);
    audit.close();
  } catch (error) {
    // A store that cannot be written costs the note, not the answers.
    if (!(error instanceof Fault)) throw error;
  }
}
