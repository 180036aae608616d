// Where the trials of one process happen: a folder, a temporary folder and a run id that whoever comes
// after it can clear away by, when it was killed.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir, uptime } from "node:os";
import { join } from "node:path";
import { removeTree } from "../../bench/trials/tree-files.ts";
import { newId } from "../../new-id.ts";
import { endInhabitants } from "../../process/end-inhabitants.ts";
import { endRun } from "../../process/end-run.ts";
import { nestRunId, RUN_ID_NAME } from "../../process/run-id.ts";
import type { BenchPlace } from "./bench-place.ts";
import { holdMark, isMarkAlive, readMark, writeMark } from "./living-mark.ts";

export interface WorkPlace {
  readonly folder: string;
  readonly temporary: string;
  /** Everything that is started carries it. */
  readonly runId: string;
  close(): Promise<void>;
}

const placesOf = (stateDir: string): string => join(stateDir, "bench", "work");

export async function openWorkPlace({ context, program }: BenchPlace): Promise<WorkPlace> {
  const { stateDir } = program;
  const env = context.env.forChild();
  // Files of another user, say of a container, stop no run; whoever can remove them is told.
  const note = (error: unknown): Promise<void> =>
    context.write(`note: ${error instanceof Error ? error.message : error}\n`, "stderr");
  await clearDeadPlaces(stateDir, note);
  const id = newId().slice(0, 8);
  const places = placesOf(stateDir);
  const mark = join(places, `${id}.json`);
  const runId = nestRunId(env[RUN_ID_NAME], `bench-${id}`);
  // Short, because agents put sockets there.
  const temporary = mkdtempSync(join(env.TMPDIR || tmpdir(), "adjb-"));
  writeMark(mark, { runId, temporary, since: uptime() });
  const release = holdMark(mark);
  mkdirSync(join(places, id), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(places, id));
  return {
    folder,
    temporary,
    runId,
    close: async () => {
      for (const left of [folder, temporary]) await removeTree(left).catch(note);
      release();
    },
  };
}

/** What processes that were killed left behind: their agents, their workspaces. */
async function clearDeadPlaces(
  stateDir: string,
  note: (error: unknown) => Promise<void>,
): Promise<void> {
  const places = placesOf(stateDir);
  if (!existsSync(places)) return;
  for (const name of readdirSync(places).filter((file) => file.endsWith(".json"))) {
    const mark = join(places, name);
    const found = readMark(mark);
    if (found === null || isMarkAlive(mark, found, Date.now())) continue;
    const { runId, temporary, since } = found.facts;
    const folder = join(realpathSync(places), name.slice(0, -".json".length));
    await endRun({ runId: String(runId), since: Number(since) });
    await endInhabitants({ folder, since: Number(since) });
    for (const left of [folder, String(temporary)]) await removeTree(left).catch(note);
    rmSync(mark, { force: true });
  }
}
