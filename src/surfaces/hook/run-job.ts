// A virtual command, run right here: the same bytes and exit code that `adj run` would have ended with.
import { fault } from "../../command/fault.ts";
import type { Streams } from "../../hooks/virtual/replay-line.ts";
import type { VirtualJob } from "../../hooks/virtual/virtual-desk.ts";
import { createAdjutant } from "../adjutant.ts";
import { renderOutcome } from "../cli/render.ts";

/** Rejects only for a bug, or a place that cannot be used. */
export async function runJob(job: VirtualJob, signal: AbortSignal): Promise<Streams> {
  const { name, words, sessionId, correlationId, limitMs, cwd, env, root, agent } = job;
  const adjutant = await createAdjutant({ cwd, env, root, agent, surface: "hook" });
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
    await adjutant.close();
  }
}
