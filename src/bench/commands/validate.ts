// `adj bench validate`: the suite, each agent's settings, and with --oracle whether the cases can tell good from bad.
import { constants } from "node:fs";
import { stat } from "node:fs/promises";
import { Fault, formatFault, reportFault } from "../../core/command/fault.ts";
import { type CommandResult, fail, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { formatMessage } from "../../core/terminal/render.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import type { TrialRuntime } from "../run/runtime.ts";
import { createSemaphore, runTrial, type TrialOptions } from "../run/trial.ts";
import type { TrialClaim } from "../store/store.ts";
import { OPEN_SANDBOX } from "../suite/agents.ts";
import { listProblems } from "../suite/entries.ts";
import type { Suite, SuiteAgent, SuiteCase } from "../suite/suite.ts";
import type { TrialResult } from "../suite/trial.ts";
import type { BenchArguments } from "./arguments.ts";
import { requireWord } from "./context.ts";
import { createAgentFinder, describeMissing, planRun } from "./plan-trials.ts";
import { readSuite } from "./read-suite.ts";
import { openTrialRuntime } from "./trial-runtime.ts";

const ORACLE_FAILED = 1;

export async function validateSuite(
  args: BenchArguments,
  bench: BundledContext,
): Promise<CommandResult> {
  const word = requireWord(args, "a suite");
  let suite: Suite;
  try {
    suite = await readSuite(word, args, bench);
  } catch (error) {
    const problems = error instanceof Fault ? listProblems(error) : [];
    if (problems.length < 2) throw error;
    return describeProblems(problems);
  }
  const findAgent = createAgentFinder(bench);
  const plans = await planRun({ suite, runId: "validate", findAgent, upload: null }, bench);
  const counts = [
    countOf(suite.cases.length, "case"),
    countOf(suite.agents.length, "agent"),
    countOf(plans.length, "trial"),
  ].join(", ");
  const notes = (await describeMissing(suite, findAgent)).map((note) => `note: ${note}`);
  if (!args.oracle)
    return ok([`${suite.name} is valid: ${counts}`, ...notes].join("\n"), { trials: plans.length });
  const findings = await runOracle(suite, bench);
  const wrong = findings.filter(({ verdict }) => verdict === "wrong");
  const lines = findings.map(({ caseId, verdict, problem }) =>
    [verdict, caseId, ...(problem === null ? [] : [problem])].join("  "),
  );
  const output = [`${suite.name}: ${counts}`, ...notes, ...lines].join("\n");
  if (wrong.length === 0) return ok(output, { findings });
  return {
    ...fail(`${countOf(wrong.length, "case")} cannot tell good from bad`, ORACLE_FAILED, {
      findings,
    }),
    output,
  };
}

const INVALID_SUITE = 2;

/** Each is a line of its own, with its place. */
function describeProblems(problems: readonly Fault[]): CommandResult {
  const lines = problems.map((problem) => formatMessage(plainLine(formatFault(problem))).trimEnd());
  const count = `adj: ${countOf(problems.length, "problem")}`;
  return fail([...lines, count].join("\n"), INVALID_SUITE, { problems: problems.map(reportFault) });
}

const countOf = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

// A case is worth its money when its own solution passes and doing nothing does not.

export interface OracleFinding {
  readonly caseId: string;
  readonly verdict: "ok" | "wrong" | "left out";
  /** Null where all is well. */
  readonly problem: string | null;
}

/** No agent is asked: one plays the solution, the other does nothing. */
const NO_GUARD_FLAGS = { allowHooksOff: false, projectSettings: false };

async function runOracle(suite: Suite, bench: BundledContext): Promise<OracleFinding[]> {
  const store = { putContent: async () => "", getContent: async () => null };
  const findAgent = createAgentFinder(bench);
  const runtime = await openTrialRuntime(
    { store, findAgent, keep: "never", raw: false, guardFlags: NO_GUARD_FLAGS },
    bench,
  );
  const { signal } = bench.context;
  const options = { signal, semaphore: createSemaphore(suite.limits.concurrency) };
  try {
    const findings = await Promise.all(
      suite.cases.map((one) => checkCase(one, { suite, runtime, options })),
    );
    signal.throwIfAborted();
    return findings;
  } finally {
    await runtime.close();
  }
}

interface OracleContext {
  readonly suite: Suite;
  readonly runtime: TrialRuntime;
  readonly options: TrialOptions;
}

async function checkCase(one: SuiteCase, oracle: OracleContext): Promise<OracleFinding> {
  const { id: caseId, unsupported } = one;
  if (unsupported !== null) return { caseId, verdict: "left out", problem: unsupported };
  const problem = await findProblem(one, oracle);
  return { caseId, verdict: problem === null ? "ok" : "wrong", problem };
}

async function findProblem(one: SuiteCase, oracle: OracleContext): Promise<string | null> {
  if (one.solution === null) return "it has no `solution` to try";
  const solved = await tryScript(one, await scriptOf(one.solution), oracle);
  if (solved.ending !== "passed")
    return `its solution does not pass: ${solved.reason ?? solved.ending}`;
  // It says something, so that only the evaluators can find out that nothing was done.
  const idle = await tryScript(one, "echo nothing was done", oracle);
  if (idle.ending === "passed") return "doing nothing passes";
  return idle.ending === "failed"
    ? null
    : `doing nothing could not be graded: ${idle.reason ?? idle.ending}`;
}

/** What an agent did on its way; a solution has nothing to show for it. */
const isOfConduct = ({ type }: SuiteCase["evaluators"][number]): boolean => type === "tools";

/** A shell that applies the solution stands in for the agent; all else is as in a trial. */
async function tryScript(
  one: SuiteCase,
  script: string,
  { suite, runtime, options }: OracleContext,
): Promise<TrialResult> {
  const agent: SuiteAgent = {
    id: "oracle",
    agent: "command",
    config: { argv: ["sh", "-c", script] },
    concurrency: null,
    ratePerMinute: null,
    // The solution itself is what a sandbox would hide.
    sandbox: { ...OPEN_SANDBOX, kind: "none" },
  };
  const claim: TrialClaim = {
    plan: {
      runId: "oracle",
      key: `${one.id}/${agent.id}/1`,
      case: {
        ...one,
        task: { kind: "prompt", text: "apply the solution" },
        evaluators: one.evaluators.filter((evaluator) => !isOfConduct(evaluator)),
      },
      agent,
      repetition: 1,
      fingerprint: "",
      suiteFolder: suite.folder,
      timeoutMs: one.timeoutMs ?? suite.limits.timeoutMs,
      files: null,
    },
    attempt: 1,
    token: "",
    isOverBudget: false,
  };
  return (await runTrial(claim, runtime, options)).result;
}

/** A folder is laid over the workspace, a file is run in it; what that prints is the answer. */
async function scriptOf(solution: string): Promise<string> {
  const { mode } = await stat(solution);
  const word = quote(solution);
  if ((mode & constants.S_IFMT) === constants.S_IFDIR) return `cp -R ${quote(`${solution}/.`)} .`;
  return `${(mode & 0o111) === 0 ? "sh " : ""}${word}`;
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
