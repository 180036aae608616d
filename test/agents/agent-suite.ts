// What every agent CLI must do with a scripted model.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SimAgent } from "../../src/sim/sim-agent.ts";
import { driveCli } from "./drive-cli.ts";
import { findLabCli, type LabCli, missingMessage } from "./lab.ts";
import {
  ANSWER,
  cutOnce,
  FILE_CHANGES,
  failingOnce,
  failingTool,
  REFUSED_KEY,
  SHELL_CALL,
  SILENCE,
  STAYING_DOWN,
  TWO_TOOLS,
} from "./scenarios.ts";

/** How the CLIs differ; each was seen in the pinned version. */
export interface Temper {
  /** A stream that is cut once is asked for again. */
  readonly retriesCutStream: boolean;
  /** It gives up by itself while the model goes on failing with 503. */
  readonly givesUp: boolean;
  /** The model is told with which code a command ended. */
  readonly tellsExitCode: boolean;
}

export function describeAgent(agent: SimAgent, temper: Temper): void {
  describe(agent, () => {
    const cli = findLabCli(agent);
    if (cli === null) test.skip(missingMessage(agent));
    else {
      describeWork(cli, temper);
      describeFailures(cli, temper);
    }
  });
}

function describeWork(cli: LabCli, temper: Temper): void {
  test("the prompt reaches the model and its answer comes out", async () => {
    const drive = await driveCli(cli, ANSWER);
    expect(drive.report.holds, drive.account).toBe(true);
    expect(drive.said).toContain("A scripted answer.");
    const turn = drive.requests.find(({ kind }) => kind === "turn");
    expect(turn?.agent).toBe(cli.agent);
  });

  test("a shell call is run and its output reaches the model", async () => {
    const drive = await driveCli(cli, SHELL_CALL);
    expect(drive.report.holds, drive.account).toBe(true);
    expect(drive.said).toContain("It says sum-42.");
  });

  test("a file is written, read and edited in the workspace", async () => {
    const drive = await driveCli(cli, FILE_CHANGES);
    expect(drive.report.holds, drive.account).toBe(true);
    expect(readFileSync(join(drive.workspace, "notes.txt"), "utf8")).toBe("alpha\ngamma\n");
  });

  test.each([
    ["two tools of one turn are both run", TWO_TOOLS],
    ["a failing command is told to the model", failingTool(temper.tellsExitCode)],
  ])("%s", async (_, scenario) => {
    const drive = await driveCli(cli, scenario);
    expect(drive.report.holds, drive.account).toBe(true);
  });
}

function describeFailures(cli: LabCli, temper: Temper): void {
  test("a refused key ends the run as a failure", async () => {
    const drive = await driveCli(cli, REFUSED_KEY);
    expect(drive.report.holds, drive.account).toBe(true);
  });

  test.each(["status: 429, retry_after: 1s", "status: 503"])(
    "after one failure (%s) the same question is asked again",
    async (fault) => {
      const drive = await driveCli(cli, failingOnce(fault));
      expect(drive.report.holds, drive.account).toBe(true);
      expect(drive.said).toContain("Here after all.");
    },
  );

  const { givesUp, retriesCutStream } = temper;
  test(`a model that stays down is asked until ${givesUp ? "the CLI gives up" : "the run is cancelled"}`, async () => {
    const drive = await driveCli(cli, STAYING_DOWN, givesUp ? undefined : 3);
    expect(drive.report.holds, drive.account).toBe(true);
    expect(drive.process?.kind, drive.account).toBe(givesUp ? "exited" : "cancelled");
    expect(drive.process?.exitCode).not.toBe(0);
    expect(drive.process?.survivors).toEqual([]);
  });

  test(`a stream that is cut is ${retriesCutStream ? "asked for again" : "a failure"}`, async () => {
    const drive = await driveCli(cli, cutOnce(retriesCutStream));
    expect(drive.report.holds, drive.account).toBe(true);
  });

  test("a run that waits for a silent model can be cancelled, and nothing stays behind", async () => {
    const drive = await driveCli(cli, SILENCE, 1);
    expect(drive.process?.kind, drive.account).toBe("cancelled");
    expect(drive.process?.survivors).toEqual([]);
  });
}
