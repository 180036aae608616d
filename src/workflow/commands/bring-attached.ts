// What `adj resume` asks of workflows: the one that a saved session had attached goes on in the session it is resumed in.
import { Fault, formatFault } from "../../core/command/fault.ts";
import type { AttachedRun, AttachOutcome, BundledContext } from "../../core/commands/bundled.ts";
import { moveInHost, withHost } from "./host-calls.ts";

/** A fault of the workflow is no reason to resume nothing: it is said. */
export async function bringAttached(
  saved: AttachedRun,
  caller: BundledContext,
): Promise<AttachOutcome> {
  const { runId, stage } = saved;
  if (caller.context.isBelowAgent)
    return { isAttached: false, text: "only a person attaches it: `adj workflow attach`" };
  try {
    return await withHost(caller, async (host) => {
      const moved = await moveInHost(host, { runId, stage }, caller);
      if (moved.problem !== null) return { isAttached: false, text: moved.problem };
      const left = moved.from === null ? "" : `, and no longer in session ${moved.from}`;
      return { isAttached: true, text: `goes on here in stage ${moved.stage}${left}` };
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { isAttached: false, text: formatFault(error) };
  }
}
