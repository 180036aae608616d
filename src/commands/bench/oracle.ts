// A case is worth its money when its own solution passes and doing nothing does not.
import { constants } from "node:fs";
import { stat } from "node:fs/promises";
import type { Claim } from "../../bench/queue.ts";
import type { Suite, SuiteAgent, SuiteCase } from "../../bench/suite.ts";
import type { TrialResult } from "../../bench/trial.ts";
import { openGate } from "../../bench/trials/gate.ts";
import { runTrial, type TrialTurn } from "../../bench/trials/run-trial.ts";
import type { TrialShop } from "../../bench/trials/trial-shop.ts";
import type { BenchPlace } from "./bench-place.ts";
import { createAgentFinder } from "./locate-agents.ts";
import { makeTrialShop } from "./trial-shop.ts";
import { openWorkPlace } from "./work-place.ts";

export interface OracleFinding {
  readonly caseId: string;
  readonly verdict: "ok" | "wrong" | "left out";
  /** Null where all is well. */
  readonly problem: string | null;
}

export async function consultOracle(suite: Suite, place: BenchPlace): Promise<OracleFinding[]> {
  const work = await openWorkPlace(place);
  const store = { putContent: async () => "", getContent: async () => null };
  const findAgent = createAgentFinder(place);
  const shop = makeTrialShop({ store, findAgent, keep: "never", work }, place);
  const { signal } = place.context;
  const turn = { signal, gate: openGate(suite.limits.concurrency) };
  try {
    const findings = await Promise.all(
      suite.cases.map((one) => lookInto(one, { suite, shop, turn })),
    );
    signal.throwIfAborted();
    return findings;
  } finally {
    await work.close();
  }
}

interface Trying {
  readonly suite: Suite;
  readonly shop: TrialShop;
  readonly turn: TrialTurn;
}

async function lookInto(one: SuiteCase, trying: Trying): Promise<OracleFinding> {
  const { id: caseId, unsupported } = one;
  if (unsupported !== null) return { caseId, verdict: "left out", problem: unsupported };
  const problem = await findProblem(one, trying);
  return { caseId, verdict: problem === null ? "ok" : "wrong", problem };
}

async function findProblem(one: SuiteCase, trying: Trying): Promise<string | null> {
  if (one.solution === null) return "it has no `solution` to try";
  const solved = await tryScript(one, await scriptOf(one.solution), trying);
  if (solved.ending !== "passed")
    return `its solution does not pass: ${solved.reason ?? solved.ending}`;
  // It says something, so that only the evaluators can find out that nothing was done.
  const idle = await tryScript(one, "echo nothing was done", trying);
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
  { suite, shop, turn }: Trying,
): Promise<TrialResult> {
  const oracle: SuiteAgent = {
    id: "oracle",
    agent: "command",
    config: { argv: ["sh", "-c", script] },
    concurrency: null,
    ratePerMinute: null,
  };
  const claim: Claim = {
    plan: {
      runId: "oracle",
      key: `${one.id}/${oracle.id}/1`,
      case: {
        ...one,
        task: { kind: "prompt", text: "apply the solution" },
        evaluators: one.evaluators.filter((evaluator) => !isOfConduct(evaluator)),
      },
      agent: oracle,
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
  return (await runTrial(claim, shop, turn)).result;
}

/** A folder is laid over the workspace, a file is run in it; what that prints is the answer. */
async function scriptOf(solution: string): Promise<string> {
  const { mode } = await stat(solution);
  const word = quote(solution);
  if ((mode & constants.S_IFMT) === constants.S_IFDIR) return `cp -R ${quote(`${solution}/.`)} .`;
  return `${(mode & 0o111) === 0 ? "sh " : ""}${word}`;
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
