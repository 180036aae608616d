// `adj resident serve`, which nobody types: the process in the background that answers hooks.
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parseDuration } from "../../command/duration.ts";
import { Fault } from "../../command/fault.ts";
import { findPaths } from "../../config/paths.ts";
import type { EventType, NewEvent } from "../../dispatch/event.ts";
import { createHookAnswerer } from "../../hooks/answer-hook.ts";
import { newId } from "../../new-id.ts";
import { selectHookVariables } from "../../resident/hook-variables.ts";
import { type ResidentParts, runResident } from "../../resident/run-resident.ts";
import { IDLE_VARIABLE, REPLACES_VARIABLE, startResident } from "../../resident/start-resident.ts";
import { VERSION } from "../../version.ts";
import { makeWarmParts, type WarmParts } from "./warm-parts.ts";

const DEFAULT_IDLE_MS = 30 * 60 * 1_000;

export async function serveResident(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());
  const { env } = process;
  const { stateDir } = findPaths(env, env.HOME || homedir());
  const parts = makeWarmParts();
  await runResident({
    ...residentParts(parts, stateDir),
    version: VERSION,
    answer: createHookAnswerer(parts),
    idleMs: parseDuration(env[IDLE_VARIABLE] ?? "") ?? DEFAULT_IDLE_MS,
    replaces: env[REPLACES_VARIABLE] ?? null,
    signal: stop.signal,
  });
  await parts.close();
}

type Surroundings = Omit<ResidentParts, "version" | "answer" | "idleMs" | "replaces" | "signal">;

function residentParts(parts: WarmParts, stateDir: string): Surroundings {
  const { env } = process;
  const seat = { stateDir, version: VERSION, entry: parts.program, env };
  return {
    stateDir,
    env: selectHookVariables(env),
    codeFiles: listCode(parts.program.at(-1) ?? ""),
    startSuccessor: (replaces) => void startResident(seat, replaces),
    noteRefusal: (problem) =>
      recordNote(parts, stateDir, noteOf("AccessDenied", { what: "resident", problem })),
    noteProblem: (message) =>
      recordNote(
        parts,
        stateDir,
        noteOf("Diagnostic", { code: "Resident", where: "resident", message }),
      ),
  };
}

/** In the build all files lie side by side; from source the entry stands for all. */
function listCode(entry: string): string[] {
  if (entry.endsWith(".ts")) return [entry];
  const folder = dirname(entry);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".cjs"))
    .map((name) => join(folder, name));
}

const noteOf = (type: EventType, data: NewEvent["data"]): NewEvent => ({
  time: new Date().toISOString(),
  type,
  correlationId: newId(),
  sessionId: null,
  origin: { surface: "hook" },
  data,
});

function recordNote(parts: WarmParts, stateDir: string, event: NewEvent): void {
  try {
    parts.record(stateDir, [event]);
  } catch (error) {
    // A store that cannot be written costs the note, not the answers.
    if (!(error instanceof Fault)) throw error;
  }
}
