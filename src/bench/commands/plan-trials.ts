// A suite as trials with fingerprints: what the case's files, its command and its agent are right now.
import { readFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { requireAdapter } from "../../agents/roster.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import {
  type Availability,
  checkAvailability,
  nameProgram,
  openAgentSearch,
  searchFor,
} from "../../agents/run/availability.ts";
import { fault } from "../../core/command/fault.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { describeFileError } from "../../core/project/files.ts";
import { commandNameIn } from "../evaluators/command.ts";
import { EVALUATORS } from "../evaluators/roster.ts";
import type { Upload } from "../run/plan-files.ts";
import { bundleRepository, type CaseFault, findCommits } from "../run/repository.ts";
import type { BenchStore } from "../store/store.ts";
import { fillCase, listAgentFiles } from "../suite/agents.ts";
import { fingerprintTrial, hashFiles, listCaseFiles } from "../suite/fingerprint.ts";
import { findStale, planTrials, reuseResults } from "../suite/plan.ts";
import { listPrograms } from "../suite/programs.ts";
import type { Suite, SuiteAgent, SuiteCase } from "../suite/suite.ts";
import type { TrialPlan, TrialResult } from "../suite/trial.ts";

export interface PlanRunOptions {
  readonly suite: Suite;
  readonly runId: string;
  readonly findAgent: FindAgent;
  /** Content by hash, for workers elsewhere; null where they read the files themselves. */
  readonly upload: Upload | null;
}

export async function planRun(
  planning: PlanRunOptions,
  bench: BundledContext,
): Promise<TrialPlan[]> {
  const { suite, runId } = planning;
  const known = new Map<string, PairFacts>();
  const cases: SuiteCase[] = [];
  for (const written of suite.cases) {
    const facts = await readCaseFacts(written, planning, bench);
    cases.push(facts.case);
    for (const agent of suite.agents)
      known.set(
        pairOf(written, agent),
        await readPairFacts(facts, agent, { ...planning, context: bench.context }),
      );
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

async function readPairFacts(
  { case: one, files: own, commandText, commandFiles, commits, repository }: CaseFacts,
  entry: SuiteAgent,
  { suite, findAgent, upload, context }: PlanRunOptions & Pick<BundledContext, "context">,
): Promise<PairFacts> {
  const agent = { ...entry, config: fillCase(entry.config, one.id) };
  const texts = [agent.config, one.setup, one.teardown, one.evaluators];
  const place = { folder: suite.folder, env: context.env.forChild() };
  const programs = [...listPrograms(texts, place), ...commandFiles];
  const files = [...new Set([...own, ...listAgentFiles(agent.config), ...programs])];
  const { here, adapter } = await findAgent(agent.agent);
  const fingerprint = fingerprintTrial({
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
    ...(suite.limits.usdPerTrial === null ? {} : { usdLimit: suite.limits.usdPerTrial }),
    suiteFolder: suite.folder,
  });
  // Programs of the machine are there where the trial runs, or are not.
  const carried = files.filter(
    (file) => !programs.includes(file) || file.startsWith(`${suite.folder}/`),
  );
  const isElsewhere = upload !== null;
  return { fingerprint, files: isElsewhere ? await upload({ files: carried, repository }) : null };
}

interface CaseFacts {
  /** With the commit it starts from. */
  readonly case: SuiteCase;
  readonly files: readonly string[];
  readonly commandText: string | null;
  readonly commandFiles: readonly string[];
  readonly commits: string | null;
  /** Only for workers elsewhere. */
  readonly repository: Uint8Array | null;
}

const complainOf =
  (what: string, { file, folder }: Suite) =>
  (error: unknown): never => {
    const path = error instanceof Error && "path" in error ? String(error.path) : "a file";
    const problem = `${what}: \`${relative(folder, path)}\` cannot be read: ${describeFileError(error)}`;
    throw fault("FileInvalid", { problem }, { where: { file } });
  };

async function readCaseFacts(
  one: SuiteCase,
  { suite, upload }: PlanRunOptions,
  bench: BundledContext,
): Promise<CaseFacts> {
  const complain: CaseFault = (problem) =>
    fault(
      "FileInvalid",
      { problem: `case \`${one.id}\`: ${problem}` },
      { where: { file: suite.file } },
    );
  const { env, signal } = bench.context;
  const git = { env: env.forChild(), signal };
  const commits = await findCommits(one, git, complain);
  return {
    case: pinCommit(one, commits?.start ?? null),
    files: await listCaseFiles(one, { folder: suite.folder, find: EVALUATORS.find }).catch(
      complainOf(`case \`${one.id}\``, suite),
    ),
    ...(await readCommands(one, bench, complain)),
    commits: commits === null ? null : [commits.start, ...commits.others].join(" "),
    repository: upload === null ? null : await bundleRepository(one.workspace, git, complain),
  };
}

/** All trials of a run start from the same, whatever is committed meanwhile. */
const pinCommit = (one: SuiteCase, commit: string | null): SuiteCase =>
  one.workspace.kind === "git" ? { ...one, workspace: { ...one.workspace, commit } } : one;

/** The commands that do the task and that grade it: what they say, and the programs that they name. */
async function readCommands(
  { task, evaluators }: SuiteCase,
  { program, context }: BundledContext,
  complain: CaseFault,
): Promise<Pick<CaseFacts, "commandText" | "commandFiles">> {
  const graders = evaluators.flatMap(({ type, options }) =>
    type === "command" ? [commandNameIn(options)] : [],
  );
  const texts: string[] = [];
  const files: string[] = [];
  for (const name of [...(task.kind === "command" ? [task.name] : []), ...graders]) {
    const found = await program.resolve(name);
    if (found.kind !== "found") throw complain(`there is no command \`${name}\``);
    const { file } = found.at;
    // A command that is part of the program has no file; its place stands for it.
    const text = await readFile(file, "utf8").catch(() => file);
    texts.push(text);
    files.push(...listPrograms(text, { folder: dirname(file), env: context.env.forChild() }));
  }
  return { commandText: texts.length === 0 ? null : texts.join("\0"), commandFiles: files };
}

// What of a plan is known already, and what only of something that has changed since.

export interface KnownTrials {
  readonly known: readonly TrialResult[];
  readonly open: readonly TrialPlan[];
  /** Keys of open trials. */
  readonly stale: ReadonlySet<string>;
}

/** Every result there is of this suite, from any run. */
export const listBefore = async (store: BenchStore, { name }: Suite): Promise<TrialResult[]> =>
  (await Promise.all((await store.listRuns(name)).map(({ id }) => store.results(id)))).flat();

/** For a run that takes over no earlier result. */
export const nothingKnown = (plans: readonly TrialPlan[]): KnownTrials => ({
  known: [],
  open: plans,
  stale: new Set(),
});

export async function findKnownResults(
  store: BenchStore,
  plans: readonly TrialPlan[],
  before: readonly TrialResult[],
): Promise<KnownTrials> {
  const fingerprints = plans.map(({ fingerprint }) => fingerprint);
  const known = reuseResults(plans, await store.findKnown(fingerprints));
  const done = new Set(known.map(({ key }) => key));
  const open = plans.filter(({ key }) => !done.has(key));
  return { known, open, stale: new Set(findStale(open, before)) };
}

export const describeKnown = ({ known, open, stale }: KnownTrials): string =>
  `${known.length} known, ${open.length} to run${stale.size === 0 ? "" : ` (${stale.size} of them stale)`}`;

// Every agent of a suite is looked for once, not before each trial.

interface BenchAgent {
  readonly adapter: AgentAdapter;
  readonly here: Availability;
  /** What is started, found or not: one that was named is not stood in for by another on PATH. */
  readonly program: string | null;
}

export type FindAgent = (name: string) => Promise<BenchAgent>;

export function createAgentFinder({ context, program }: BundledContext): FindAgent {
  const found = new Map<string, Promise<BenchAgent>>();
  const look = async (name: string): Promise<BenchAgent> => {
    const adapter = await requireAdapter(name);
    const search = await openAgentSearch(context, program);
    const wanted = searchFor(adapter, search);
    const here = await checkAvailability(adapter, wanted);
    return { adapter, here, program: here.path ?? (nameProgram(adapter, wanted).expanded || null) };
  };
  return (name) => {
    const known = found.get(name) ?? look(name);
    found.set(name, known);
    return known;
  };
}

/** Agents of a suite that cannot run on this machine; a worker elsewhere may have them. */
export async function describeMissing({ agents }: Suite, findAgent: FindAgent): Promise<string[]> {
  const notes = agents.map(async ({ id, agent }) => {
    const { here } = await findAgent(agent);
    return here.available
      ? []
      : [`agent \`${id}\` cannot run here: ${here.problem ?? "not known why"}`];
  });
  return (await Promise.all(notes)).flat();
}
