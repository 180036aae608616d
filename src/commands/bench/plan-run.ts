// A suite as trials with fingerprints: what the case's files, its command and its agent are right now.
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fillCase, namedFiles } from "../../bench/agent-files.ts";
import { EVALUATORS } from "../../bench/evaluators/roster.ts";
import { hashFiles, listCaseFiles } from "../../bench/planning/case-files.ts";
import { fingerprintOf } from "../../bench/planning/fingerprint.ts";
import { planTrials } from "../../bench/planning/plan-trials.ts";
import type { CaseTask, Suite, SuiteAgent, SuiteCase } from "../../bench/suite.ts";
import type { TrialPlan } from "../../bench/trial.ts";
import { fault } from "../../command/fault.ts";
import { problemOf } from "../../config/file-problem.ts";
import { gitPlaceOf } from "./ask-git.ts";
import type { BenchPlace } from "./bench-place.ts";
import { bundleRepository } from "./bundle-repository.ts";
import { findCommits } from "./find-commits.ts";
import type { FindAgent } from "./locate-agents.ts";
import type { Upload } from "./travelling-files.ts";

export interface RunPlanning {
  readonly suite: Suite;
  readonly runId: string;
  readonly findAgent: FindAgent;
  /** Content by hash, for workers elsewhere; null where they read the files themselves. */
  readonly upload: Upload | null;
}

export async function planRun(planning: RunPlanning, place: BenchPlace): Promise<TrialPlan[]> {
  const { suite, runId } = planning;
  const known = new Map<string, PairFacts>();
  const cases: SuiteCase[] = [];
  for (const written of suite.cases) {
    const facts = await lookAtCase(written, planning, place);
    cases.push(facts.case);
    for (const agent of suite.agents)
      known.set(pairOf(written, agent), await lookAtPair(facts, agent, planning));
  }
  const factsOf = (one: SuiteCase, agent: SuiteAgent): PairFacts => {
    const facts = known.get(pairOf(one, agent));
    if (facts === undefined) throw new TypeError(`nobody looked at ${pairOf(one, agent)}`);
    return facts;
  };
  return planTrials({
    suite,
    agents: suite.agents,
    cases,
    runId,
    repeat: suite.repeat,
    fingerprint: (one, agent) => factsOf(one, agent).fingerprint,
    files: (one, agent) => factsOf(one, agent).files,
  });
}

type PairFacts = Pick<TrialPlan, "fingerprint" | "files">;

const pairOf = (one: SuiteCase, agent: SuiteAgent): string => JSON.stringify([one.id, agent.id]);

async function lookAtPair(
  { case: one, files: own, commandText, commits, repository }: CaseFacts,
  entry: SuiteAgent,
  { suite, findAgent, upload }: RunPlanning,
): Promise<PairFacts> {
  const agent = { ...entry, config: fillCase(entry.config, one.id) };
  const files = [...own, ...namedFiles(agent.config)];
  const { here, adapter } = await findAgent(agent.agent);
  const fingerprint = fingerprintOf({
    case: one,
    fileHashes: await hashFiles(files, suite.folder).catch(
      complainOf(`agent \`${agent.id}\``, suite),
    ),
    commandText,
    commit: commits,
    agent,
    agentVersion: here.version ?? null,
    adapterVersion: adapter.version,
    timeoutMs: one.timeoutMs ?? suite.limits.timeoutMs,
    suiteFolder: suite.folder,
  });
  return { fingerprint, files: upload === null ? null : await upload({ files, repository }) };
}

interface CaseFacts {
  /** With the commit it starts from. */
  readonly case: SuiteCase;
  readonly files: readonly string[];
  readonly commandText: string | null;
  readonly commits: string | null;
  /** Only for workers elsewhere. */
  readonly repository: Uint8Array | null;
}

export type Complain = (problem: string) => Error;

const complainOf =
  (what: string, { file, folder }: Suite) =>
  (error: unknown): never => {
    const path = error instanceof Error && "path" in error ? String(error.path) : "a file";
    const problem = `${what}: \`${relative(folder, path)}\` cannot be read: ${problemOf(error)}`;
    throw fault("FileInvalid", { problem }, { where: { file } });
  };

async function lookAtCase(
  one: SuiteCase,
  { suite, upload }: RunPlanning,
  place: BenchPlace,
): Promise<CaseFacts> {
  const complain: Complain = (problem) =>
    fault(
      "FileInvalid",
      { problem: `case \`${one.id}\`: ${problem}` },
      { where: { file: suite.file } },
    );
  const git = gitPlaceOf(place);
  const commits = await findCommits(one, git, complain);
  return {
    case: pinCommit(one, commits?.start ?? null),
    files: await listCaseFiles(one, { folder: suite.folder, find: EVALUATORS.find }).catch(
      complainOf(`case \`${one.id}\``, suite),
    ),
    commandText: await readCommand(one.task, place, complain),
    commits: commits === null ? null : [commits.start, ...commits.others].join(" "),
    repository: upload === null ? null : await bundleRepository(one.workspace, git, complain),
  };
}

/** All trials of a run start from the same, whatever is committed meanwhile. */
const pinCommit = (one: SuiteCase, commit: string | null): SuiteCase =>
  one.workspace.kind === "git" ? { ...one, workspace: { ...one.workspace, commit } } : one;

async function readCommand(task: CaseTask, { program }: BenchPlace, complain: Complain) {
  if (task.kind !== "command") return null;
  const found = await program.resolve(task.name);
  if (found.kind !== "found") throw complain(`there is no command \`${task.name}\``);
  // A command that is part of the program has no file; its place stands for it.
  return readFile(found.at.file, "utf8").catch(() => found.at.file);
}
