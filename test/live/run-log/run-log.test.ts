// Each agent through its adapter, from the command line it builds to the log it gives.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkAvailability } from "../../../src/agents/run/availability.ts";
import { makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import { adapterOf } from "../../support/agents.ts";
import { findLabCli, LAB_AGENTS, type LabCli, missingMessage, pinnedVersion } from "../lab.ts";
import { PAGE, replaceSection } from "../page/page-parts.ts";
import { type ShownRun, writeRunSection } from "../page/run-section.ts";
import {
  checkContent,
  checkEnding,
  checkNormalized,
  checkNothingLeft,
  checkTimeout,
} from "./check-run.ts";
import { type AgentDrive, driveAgent } from "./drive-agent.ts";
import type { AgentExpectation, Row } from "./expectation.ts";
import { EXPECTATIONS } from "./expectations.ts";
import { type RunScenario, SCENARIOS } from "./scenarios.ts";

/** For a run that ends by itself. */
const TIME_LIMIT = 90_000;

test("every agent has its expectations", () => {
  expect(EXPECTATIONS.map(({ agent }) => agent).toSorted()).toEqual([...LAB_AGENTS].toSorted());
});

describe.each(EXPECTATIONS)("the run log of $agent", (expectation) => {
  const cli = findLabCli(expectation.agent);
  if (cli === null) test.skip(missingMessage(expectation.agent));
  else describeRuns(cli, expectation);
});

function describeRuns(cli: LabCli, agent: AgentExpectation): void {
  // How long it takes to ask its first question here and now.
  let startUpMs = 10_000;
  const shown: ShownRun[] = [];

  test("it is found, with its version and its login", () => checkFound(cli));

  test("its table has a row for every scenario", () => {
    expect(agent.rows.map(([name]) => name)).toEqual(SCENARIOS.map(({ name }) => name));
  });

  const runs = agent.rows.map((row) => ({ row, name: row[0], status: row[1] }));
  test.each(runs)("$name: $status", async ({ row }) => {
    const scenario = findScenario(row);
    const timeoutMs =
      scenario.stop.by === "timeout" ? Math.round(3 * startUpMs + 2_000) : TIME_LIMIT;
    const drive = await driveAgent({
      cli,
      version: pinnedVersion(cli.agent),
      config: agent.config,
      script: scenario.script,
      stop: scenario.stop,
      timeoutMs,
    });
    if (row[0] === "hang, cancelled") startUpMs = drive.log.execution.duration_ms;
    explainFailure(drive);
    checkEnding(agent, row, drive);
    if (scenario.stop.by === "timeout") checkTimeout(timeoutMs, drive);
    checkContent(agent, { row, scenario }, drive);
    checkNothingLeft(drive);
    checkNormalized(cli, drive);
    shown.push({ row, log: drive.log });
  });

  test("docs/agents.md shows these runs", async ({ skip }) => {
    if (shown.length < agent.rows.length) skip("not all of the runs are there to be shown");
    const section = writeRunSection(`${cli.agent} ${pinnedVersion(cli.agent)}`, shown);
    const page = replaceSection(readFileSync(PAGE, "utf8"), cli.agent, section);
    await expect(page).toMatchFileSnapshot(PAGE);
  });
}

function findScenario(row: Row): RunScenario {
  const scenario = SCENARIOS.find(({ name }) => name === row[0]);
  if (scenario === undefined) throw new Error(`no scenario ${row[0]}`);
  return { ...scenario, stop: row[9] ?? scenario.stop };
}

async function checkFound({ agent, program }: LabCli): Promise<void> {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const source = { ...process.env, PATH };
  const home = await makeIsolatedHome({ agent, url: "http://127.0.0.1:9", source });
  onTestFinished(() => home.remove());
  const found = await checkAvailability(adapterOf(agent), {
    configuredPath: program,
    env: home.env,
  });
  expect(found).toMatchObject({ available: true, version: pinnedVersion(agent), path: program });
  expect(found.authenticated).not.toBe(false);
}

/** Everything there is to say when an assertion fails. */
function explainFailure({ log, requests, result }: AgentDrive): void {
  const asked = requests.map(({ kind, path, answered }) => `${kind} ${path}: ${answered}`);
  const account = JSON.stringify({ asked, log, output: result.output.slice(-4_000) }, null, 1);
  onTestFinished(({ task }) => {
    if (task.result?.state === "fail") console.error(account);
  });
}
