// Each agent with our hooks in it, by what its model received.
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { findLabCli, LAB_AGENTS, type LabAgent, type LabCli, missingMessage } from "../lab.ts";
import { PROMPT } from "../scenarios.ts";
import { driveGuarded, type GuardedDrive, type GuardedPlan } from "./drive-guarded.ts";
import { expectedResults, type Results, ROWS } from "./expectations.ts";
import { GUARDED_WORK, observeGate, observeWork } from "./guarded-work.ts";
import { HOOKS_PAGE, replaceColumn } from "./measured-table.ts";
import { addOtherHooks } from "./other-hooks.ts";
import { observeBesideOthers, observePrompt, TALK, WORK_BESIDE_OTHERS } from "./other-work.ts";
import { runServed } from "./serve-opencode.ts";

interface HookScenario {
  readonly name: string;
  /** All of them, if nothing is said. */
  readonly agent?: LabAgent;
  readonly plan: Omit<GuardedPlan, "cli">;
  readonly observe: (drive: GuardedDrive) => Results | Promise<Results>;
}

const WORK = { prompt: PROMPT, script: GUARDED_WORK };

const SCENARIOS: readonly HookScenario[] = [
  { name: "rules and virtual commands", plan: WORK, observe: observeWork },
  {
    name: "the same by the resident",
    agent: "claude-code",
    plan: { ...WORK, isResident: true },
    observe: observeWorkOfResident,
  },
  {
    name: "a gate where a server keeps the session",
    agent: "opencode",
    plan: { prompt: PROMPT, script: TALK, run: runServed },
    observe: (drive) => ({ served: observeGate(drive) }),
  },
  {
    name: "a prompt that is a virtual command",
    plan: { prompt: "adj-lines", script: TALK },
    observe: observePrompt,
  },
  {
    name: "hooks of others",
    plan: { prompt: PROMPT, script: WORK_BESIDE_OTHERS, others: addOtherHooks },
    observe: observeBesideOthers,
  },
];

describe.each(LAB_AGENTS)("hooks in %s", (agent) => {
  const cli = findLabCli(agent);
  if (cli === null) test.skip(missingMessage(agent));
  else describeScenarios(cli);
});

function describeScenarios(cli: LabCli): void {
  const expected = expectedResults(cli.agent);
  let observed: Results = {};

  const scenarios = SCENARIOS.filter(({ agent }) => agent === undefined || agent === cli.agent);
  test.each(scenarios)("$name", async ({ plan, observe }) => {
    const drive = await driveGuarded({ cli, ...plan });
    explainFailure(drive);
    const results = await observe(drive);
    observed = { ...observed, ...results };
    expect(results).toEqual(pick(expected, Object.keys(results)));
  });

  test("docs/hooks.md shows what was seen", async ({ skip }) => {
    const isWhole = Object.keys(ROWS).every((name) => name === "served" || name in observed);
    if (!isWhole) skip("not all of it was seen");
    const page = replaceColumn(readFileSync(HOOKS_PAGE, "utf8"), cli.agent, observed);
    await expect(page).toMatchFileSnapshot(HOOKS_PAGE);
  });
}

async function observeWorkOfResident(drive: GuardedDrive): Promise<Results> {
  const { stdout } = await drive.place.adj("resident", "status");
  expect(stdout).toContain("is running");
  return observeWork(drive);
}

const pick = (results: Results, names: readonly string[]): Results =>
  Object.fromEntries(Object.entries(results).filter(([name]) => names.includes(name)));

/** Everything there is to say when an assertion fails. */
function explainFailure({ account }: GuardedDrive): void {
  onTestFinished(({ task }) => {
    if (task.result?.state === "fail") console.error(account);
  });
}
