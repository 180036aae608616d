import { runProcess } from "../../process/run-process.ts";

export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const LIMIT_MS = 4_000;
const MOST_BYTES = 4_194_304;

/** What git prints, trimmed; null where it has no answer or the folder no repository. */
export async function askGit(args: readonly string[], place: GitPlace): Promise<string | null> {
  const { env, cwd, signal } = place;
  // Reading must not start the repository's own programs.
  const safe = [
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "--no-optional-locks",
  ];
  const spec = { executable: "git", args: [...safe, ...args], env, cwd };
  const ending = await runProcess(spec, {
    signal,
    timeoutMs: LIMIT_MS,
    graceMs: 500,
    outputLimit: { stdout: { bytes: MOST_BYTES, action: "kill" } },
  });
  if (ending.kind === "exited")
    return ending.exitCode === 0 ? new TextDecoder().decode(ending.stdout).trim() : null;
  if (ending.kind === "not_started") return null;
  throw new Error(`\`git ${args[0] ?? ""}\` was not answered: ${ending.kind.replaceAll("_", " ")}`);
}
