// A suite as trials with fingerprints: what the case's files, its command and its agent are right now.
import { readFile } from "node:fs/promises";
import { EVALUATORS } from "../../bench/evaluators/roster.ts";
import { hashFiles, listCaseFiles } from "../../bench/planning/case-files.ts";
import { fingerprintOf } from "../../bench/planning/fingerprint.ts";
import { planTrials } from "../../bench/planning/plan-trials.ts";
import type { CaseTask, Suite, SuiteCase, WorkspaceSource } from "../../bench/suite.ts";
import type { TrialPlan } from "../../bench/trial.ts";
import { fault } from "../../command/fault.ts";
import { problemOf } from "../../config/file-problem.ts";
import { runProcess } from "../../process/run-process.ts";
import type { BenchPlace } from "./bench-place.ts";
import type { FindAgent } from "./locate-agents.ts";

export interface RunPlanning {
  readonly suite: Suite;
  readonly runId: string;
  readonly findAgent: FindAgent;
  /** Content by hash, for workers elsewhere; null where they read the files themselves. */
  readonly upload: ((files: readonly string[]) => Promise<TrialPlan["files"]>) | null;
}

export async function planRun(planning: RunPlanning, place: BenchPlace): Promise<TrialPlan[]> {
  const { suite, runId, findAgent, upload } = planning;
  const facts = new Map<string, CaseFacts>();
  for (const one of suite.cases) facts.set(one.id, await lookAtCase(one, suite, { place, upload }));
  const agents = new Map(
    await Promise.all(
      suite.agents.map(async ({ id, agent }) => [id, await findAgent(agent)] as const),
    ),
  );
  return planTrials({
    suite,
    agents: suite.agents,
    cases: suite.cases,
    runId,
    repeat: suite.repeat,
    fingerprint: (one, agent) => {
      const found = agents.get(agent.id);
      const known = facts.get(one.id);
      return fingerprintOf({
        case: one,
        fileHashes: known?.fileHashes ?? {},
        commandText: known?.commandText ?? null,
        commit: known?.commit ?? null,
        agent,
        agentVersion: found?.here.version ?? null,
        adapterVersion: found?.adapter.version ?? "",
        timeoutMs: one.timeoutMs ?? suite.limits.timeoutMs,
        suiteFolder: suite.folder,
      });
    },
    files: (one) => facts.get(one.id)?.files ?? null,
  });
}

interface CaseFacts {
  readonly fileHashes: Readonly<Record<string, string>>;
  readonly commandText: string | null;
  readonly commit: string | null;
  readonly files: TrialPlan["files"];
}

async function lookAtCase(
  one: SuiteCase,
  suite: Suite,
  { place, upload }: { place: BenchPlace; upload: RunPlanning["upload"] },
): Promise<CaseFacts> {
  const complain = (problem: string) =>
    fault(
      "FileInvalid",
      { problem: `case \`${one.id}\`: ${problem}` },
      { where: { file: suite.file } },
    );
  const files = await listCaseFiles(one, { folder: suite.folder, find: EVALUATORS.find }).catch(
    (error: unknown) => {
      throw complain(`a file it names cannot be read: ${problemOf(error)}`);
    },
  );
  return {
    fileHashes: await hashFiles(files, suite.folder),
    commandText: await readCommand(one.task, place, complain),
    commit: await findCommit(one.workspace, place, complain),
    files: upload === null ? null : await upload(files),
  };
}

type Complain = (problem: string) => Error;

async function readCommand(task: CaseTask, { program }: BenchPlace, complain: Complain) {
  if (task.kind !== "command") return null;
  const found = await program.resolve(task.name);
  if (found.kind !== "found") throw complain(`there is no command \`${task.name}\``);
  return readFile(found.at.file, "utf8").catch(() => found.at.file);
}

async function findCommit(source: WorkspaceSource, { context }: BenchPlace, complain: Complain) {
  if (source.kind !== "git") return null;
  if (source.commit !== null) return source.commit;
  const spec = {
    executable: "git",
    args: ["ls-remote", "--", source.source, source.branch ?? "HEAD"],
    env: { ...context.env.forChild(), GIT_TERMINAL_PROMPT: "0" },
    cwd: context.workingDirectory,
  };
  const ending = await runProcess(spec, { signal: context.signal, timeoutMs: 60_000 });
  const [commit] = Buffer.from(ending.stdout).toString().split(/\s/);
  if (ending.kind === "exited" && ending.exitCode === 0 && commit) return commit;
  throw complain(`\`${source.source}\` has no \`${source.branch ?? "HEAD"}\``);
}
