import { runProcess } from "../../process/run-process.ts";
import type { SetupStep } from "../suite.ts";

export interface StepPlace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A step of `setup` or `teardown`; throws where it did not go well. */
export async function runStep(
  { run, timeoutMs }: SetupStep,
  { folder, env, signal }: StepPlace,
): Promise<void> {
  const spec = { executable: "sh", args: ["-c", run], env, cwd: folder };
  const ending = await runProcess(spec, { signal, timeoutMs });
  signal.throwIfAborted();
  if (ending.kind === "exited" && ending.exitCode === 0) return;
  const how =
    ending.kind === "exited" ? `exited with ${ending.exitCode}` : `ended as ${ending.kind}`;
  const said = Buffer.from(ending.stderr).toString().trim().split("\n").at(-1) ?? "";
  // The cause first: a narrow screen shows no more.
  throw new Error(said === "" ? `\`${run}\` ${how}` : `${said} (\`${run}\` ${how})`);
}
