// Whether the run that a saved session had attached can go on in another session, and the journal that says so.

import type { StageRow } from "../../core/store/stages.ts";
import type { StateStore } from "../../core/store/stores.ts";
import { hasLivingOwner } from "../engine/control.ts";
import type { Journal, RunRecord } from "../journal/journal.ts";

interface MoveFacts {
  /** Where it is to go on. */
  readonly sessionId: string;
  readonly root: string;
  /** What that session has attached already. */
  readonly here: StageRow | null;
  /** The stage of the session that has it now; null where nobody has. */
  readonly there: StageRow | null;
  readonly isOurs: boolean;
}

/** Why it cannot be moved, as the rest of a sentence about the workflow; null where it can. */
export function findMoveProblem(run: RunRecord | null, facts: MoveFacts): string | null {
  const { here, there, sessionId, root, isOurs } = facts;
  if (here !== null) return `\`${here.workflow}\` is attached here; \`adj workflow detach\` first`;
  if (run === null || run.form !== "stages") return `its run is gone; ${ATTACH}`;
  if (run.root !== root) return `it belongs to ${run.root}; resume it there`;
  if (run.status === "done" || run.status === "failed")
    return `its run is ${run.status}; ${ATTACH}`;
  if (there?.isActing === true && run.sessionId !== sessionId)
    return `its stage ${there.stage} acts in session ${run.sessionId}; wait for its end, or detach it there`;
  if (!isOurs && hasLivingOwner(run)) return `process ${run.owner?.pid} has it`;
  return null;
}

const ATTACH = "attach it again";

/** From then on its acts are turns of this session, those that were under way as well. */
export function moveRun(
  journal: Journal,
  { id, sessionId: before }: Pick<RunRecord, "id" | "sessionId">,
  sessionId: string,
): void {
  journal.changeRun(id, { sessionId });
  for (const entry of journal.listEntries(id))
    if (entry.sessionId === before && entry.status !== "done")
      journal.change(id, entry.number, { sessionId });
}

/** The stage of the session that a run is attached to, as long as it is this run's. */
export function readStageOf(
  { stages }: Pick<StateStore, "stages">,
  { id, sessionId }: Pick<RunRecord, "id" | "sessionId">,
): StageRow | null {
  const row = sessionId === null ? null : stages.read(sessionId);
  return row?.runId === id ? row : null;
}
