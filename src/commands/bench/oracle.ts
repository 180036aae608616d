// A case is worth its money when its own solution passes and doing nothing does not.
import { readFile, stat } from "node:fs/promises";
import type { Claim } from "../../bench/queue.ts";
import type { Suite, SuiteAgent, SuiteCase } from "../../bench/suite.ts";
import type { TrialResult } from "../../bench/trial.ts";
import { runTrial } from "../../bench/trials/run-trial.ts";
import type { BenchPlace } from "./bench-place.ts";
import { createAgentFinder } from "./locate-agents.ts";
import { makeTrialShop } from "./trial-shop.ts";

export interface OracleFinding {
  readonly caseId: string;
  /** Null where all is well. */
  readonly problem: string | null;
}

export async function consultOracle(suite: Suite, place: BenchPlace): Promise<OracleFinding[]> {
  const findings: OracleFinding[] = [];
  for (const one of suite.cases)
    findings.push({ caseId: one.id, problem: await tryCase(one, suite, place) });
  return findings;
}

async function tryCase(one: SuiteCase, suite: Suite, place: BenchPlace): Promise<string | null> {
  if (one.unsupported !== null) return one.unsupported;
  if (one.solution === null) return "it has no `solution` to try";
  const solved = await tryAgent(one, { suite, place, solution: one.solution });
  if (solved.ending !== "passed")
    return `its solution does not pass: ${solved.reason ?? solved.ending}`;
  const idle = await tryAgent(one, { suite, place, solution: null });
  return idle.ending === "passed" ? "doing nothing passes" : null;
}

interface Trying {
  readonly suite: Suite;
  readonly place: BenchPlace;
  /** Null does nothing. */
  readonly solution: string | null;
}

/** A shell that applies the solution stands in for the agent; all else is as in a trial. */
async function tryAgent(one: SuiteCase, { suite, place, solution }: Trying): Promise<TrialResult> {
  const discarding = { putContent: async () => "", getContent: async () => null };
  const shop = makeTrialShop(
    { store: discarding, findAgent: createAgentFinder(place), keep: "never" },
    place,
  );
  const script = solution === null ? "" : await scriptOf(solution);
  const oracle: SuiteAgent = {
    id: solution === null ? "nothing" : "solution",
    agent: "command",
    config: { argv: ["sh", "-c", script === "" ? "true" : script] },
    concurrency: null,
    ratePerMinute: null,
  };
  const claim: Claim = {
    plan: {
      runId: "oracle",
      key: `${one.id}/${oracle.id}/1`,
      case: { ...one, task: { kind: "prompt", text: "apply the solution" } },
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
  return (await runTrial(claim, shop, place.context.signal)).result;
}

/** A folder is laid over the workspace, a file is run in it. */
async function scriptOf(solution: string): Promise<string> {
  const isFolder = (await stat(solution)).isDirectory();
  return isFolder ? `cp -R ${quote(`${solution}/.`)} . && echo done` : readFile(solution, "utf8");
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
