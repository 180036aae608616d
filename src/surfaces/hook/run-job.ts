// A virtual command, run right here: the same bytes and exit code that `adj run` would have ended with.
import { fault } from "../../command/fault.ts";
import type { Streams } from "../../hooks/virtual/replay-line.ts";
import type { VirtualJob } from "../../hooks/virtual/virtual-desk.ts";
import { type Adjutant, createAdjutant } from "../adjutant.ts";
import { renderOutcome } from "../cli/render.ts";

/** Rejects only for a bug, or a place that cannot be used. */
export async function runJob(job: VirtualJob, signal: AbortSignal): Promise<Streams> {
  const adjutant = await openForJob(job);
  try {
    return await runJobIn(adjutant, job, signal);
  } finally {
    await adjutant.close();
  }
}

export const openForJob = ({ cwd, env, root, agent }: VirtualJob): Promise<Adjutant> =>
  createAdjutant({ cwd, env, root, agent, surface: "hook" });

/** For a kept Adjutant, which must have been opened for the same place. */
export async function runJobIn(
  adjutant: Adjutant,
  { name, words, sessionId, correlationId, limitMs }: VirtualJob,
  signal: AbortSignal,
): Promise<Streams> {
  const limit = new AbortController();
  const expire = () => limit.abort(fault("CommandTimeout", { name, limitMs }));
  const timer = setTimeout(expire, limitMs);
  try {
    const outcome = await adjutant.dispatch({
      name,
      args: words,
      sessionId,
      correlationId,
      signal: AbortSignal.any([limit.signal, signal]),
    });
    const { stdout, stderr } = renderOutcome(outcome, new Set());
    return {
      stdout: Buffer.from(stdout),
      stderr: Buffer.from(stderr),
      exitCode: outcome.result.exitCode,
    };
  } finally {
    clearTimeout(timer);
  }
}
