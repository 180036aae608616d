import { runProcess } from "../../process/run-process.ts";
import type { BenchPlace } from "./bench-place.ts";

export interface GitPlace {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export const gitPlaceOf = ({ context }: BenchPlace): GitPlace => ({
  env: context.env.forChild(),
  signal: context.signal,
});

const TIME_LIMIT_MS = 300_000;

export interface GitAnswer {
  readonly isDone: boolean;
  readonly stdout: string;
  /** One line of what it complained of. */
  readonly complaint: string;
}

/** Of no repository but the one that is named: run from a hook of git, the environment names another. */
export async function askGit(
  args: readonly string[],
  { env, signal }: GitPlace,
): Promise<GitAnswer> {
  const own = Object.entries(env).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name),
  );
  const ending = await runProcess(
    {
      executable: "git",
      args,
      env: { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: "0" },
      cwd: "/",
    },
    { signal, timeoutMs: TIME_LIMIT_MS },
  );
  signal.throwIfAborted();
  const lines = Buffer.from(ending.stderr).toString().trim().split("\n");
  const said = (lines.find((line) => line.startsWith("fatal: ")) ?? lines.at(-1) ?? "").replace(
    "fatal: ",
    "",
  );
  return {
    isDone: ending.kind === "exited" && ending.exitCode === 0,
    stdout: Buffer.from(ending.stdout).toString(),
    complaint: said === "" ? `git ${ending.kind.replaceAll("_", " ")}` : said,
  };
}
