// The process in which one virtual command runs. Nobody reads what it prints.
import { readFileSync } from "node:fs";
import { Fault, formatFault } from "../../command/fault.ts";
import { replaceFile } from "../../config/replace-file.ts";
import type { Streams } from "../../hooks/virtual/replay-line.ts";
import { sayLine } from "../cli/render.ts";
import { type JobMessage, printStreams, readJob } from "./job-message.ts";
import { runJob } from "./run-job.ts";

async function runMessage({ job, file }: JobMessage): Promise<void> {
  const cancel = new AbortController();
  process.once("SIGTERM", () => cancel.abort());
  const streams = await runJob(job, cancel.signal).catch(explain);
  replaceFile(file, printStreams(streams));
  // What the command left behind is not waited for.
  process.exit(0);
}

/** A folder that is gone, a store that cannot be opened. A bug ends the process, which is seen from outside. */
function explain(error: unknown): Streams {
  if (!(error instanceof Fault)) throw error;
  const stderr = Buffer.from(sayLine(formatFault(error)));
  return { stdout: new Uint8Array(), stderr, exitCode: error.exitCode };
}

runMessage(readJob(readFileSync(0, "utf8")));
