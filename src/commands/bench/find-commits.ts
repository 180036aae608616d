import { EVALUATORS } from "../../bench/evaluators/roster.ts";
import type { SuiteCase } from "../../bench/suite.ts";
import { runProcess } from "../../process/run-process.ts";
import type { BenchPlace } from "./bench-place.ts";
import type { Complain } from "./plan-run.ts";

const TIME_LIMIT_MS = 60_000;

export interface Commits {
  readonly start: string;
  readonly others: readonly string[];
}

/** What a case's repository is right now: where the agent starts, and what its work is compared with. */
export async function findCommits(
  { workspace, evaluators }: SuiteCase,
  { context }: BenchPlace,
  complain: Complain,
): Promise<Commits | null> {
  const branches = evaluators.flatMap(
    ({ type, options }) => EVALUATORS.find(type)?.branches?.(options) ?? [],
  );
  if (workspace.kind !== "git") {
    if (branches.length > 0) throw complain("`branch` needs a workspace that comes from `git`");
    return null;
  }
  const { source, branch, commit } = workspace;
  const find = async (name: string): Promise<string> => {
    const spec = {
      executable: "git",
      args: ["ls-remote", "--", source, name],
      env: { ...context.env.forChild(), GIT_TERMINAL_PROMPT: "0" },
      cwd: context.workingDirectory,
    };
    const ending = await runProcess(spec, { signal: context.signal, timeoutMs: TIME_LIMIT_MS });
    const [found] = Buffer.from(ending.stdout).toString().split(/\s/);
    if (ending.kind === "exited" && ending.exitCode === 0 && found) return found;
    throw complain(`\`${source}\` has no \`${name}\``);
  };
  const start = commit ?? (await find(branch ?? "HEAD"));
  return { start, others: await Promise.all(branches.map(find)) };
}
