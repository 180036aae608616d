// Saved output of any of the CLIs → a log, so that runs made elsewhere join in.
import type { AgentAdapter, OutputFormat } from "./adapter.ts";
import type { CollectedLog } from "./collect-log.ts";
import { composeLog } from "./compose-log.ts";
import type { RunEnding } from "./decide-ending.ts";
import { describeEnvironment } from "./environment.ts";
import { describeExecution } from "./execution.ts";
import type { RunLog } from "./run-log.ts";
import { RunReader } from "./run-reader.ts";

export interface NormalizeOptions {
  readonly stderr?: Uint8Array | string;
  /** Without one the run counts as exited with 0, and only its own words can fail it. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly format?: OutputFormat;
  readonly runId?: string;
  readonly workingDirectory?: string;
  /** The text of the agent's report file, where it wrote one. */
  readonly report?: string;
  /** ISO time that stands in where the output has none. */
  readonly now?: string;
}

/** Reads stdout as one piece, or as pieces in order. */
export function normalizeOutput(
  adapter: AgentAdapter,
  stdout: Uint8Array | Iterable<Uint8Array>,
  options: NormalizeOptions = {},
): RunLog {
  const now = options.now ?? new Date().toISOString();
  const format = options.format ?? formatFor(adapter);
  const reader = new RunReader(adapter, { format, now: () => now });
  for (const bytes of stdout instanceof Uint8Array ? [stdout] : stdout) reader.readStdout(bytes);
  reader.readStderr(bytesOf(options.stderr));
  const ending = describeEnding(options);
  const report = options.report ?? null;
  const { status, collected } = reader.conclude({ ending, report, timeoutMs: 0 });
  const execution = describeExecution(findTimes(collected, now), ending, status);
  return composeLog(collected, {
    adapter,
    runId: options.runId ?? crypto.randomUUID(),
    execution,
    errors: collected.errors,
    environment: describeEnvironment(
      options.workingDirectory ?? collected.facts.workingDirectory ?? "",
    ),
    configured: { model: null, prompt: null, parameters: {}, agentVersion: null },
  });
}

const formatFor = (adapter: AgentAdapter): OutputFormat =>
  adapter.capabilities(null).outputFormats.every((name) => name === "text") ? "text" : "auto";

const bytesOf = (stderr: Uint8Array | string | undefined): Uint8Array =>
  typeof stderr === "string" ? Buffer.from(stderr) : (stderr ?? new Uint8Array());

function describeEnding({ exitCode, signal }: NormalizeOptions): RunEnding {
  if (signal) return { kind: "signalled", exitCode: null, signal };
  return { kind: "exited", exitCode: exitCode ?? 0, signal: null };
}

/** What the output says of its time; an agent that gives only a duration is placed before `now`. */
function findTimes({ firstAt, lastAt, final }: CollectedLog, now: string) {
  const completedAt = lastAt ?? now;
  const end = Date.parse(completedAt);
  const start = Math.min(
    end - Math.round(final?.durationMs ?? 0),
    Date.parse(firstAt ?? completedAt),
  );
  return { startedAt: new Date(start).toISOString(), completedAt, durationMs: end - start };
}
