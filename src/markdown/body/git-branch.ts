import { runProcess } from "../../process/run-process.ts";

export interface BranchPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const LIMIT_MS = 5_000;

/** The branch that is checked out; null where there is none: no repository, no git, a detached head. */
export async function readBranch({
  cwd,
  environment,
  signal,
}: BranchPlace): Promise<string | null> {
  const spec = { executable: "git", args: ["branch", "--show-current"], env: environment, cwd };
  const ending = await runProcess(spec, { signal, timeoutMs: LIMIT_MS });
  const name = Buffer.from(ending.stdout).toString().trim();
  return ending.exitCode === 0 && name !== "" ? name : null;
}
