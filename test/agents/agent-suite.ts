// What every agent CLI must do with a scripted model; what its log says of it is in run-log/.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SimAgent } from "../../src/sim/sim-agent.ts";
import { driveCli } from "./drive-cli.ts";
import { findLabCli, type LabCli, missingMessage } from "./lab.ts";
import { cutOnce, FILE_CHANGES, failingOnce } from "./scenarios.ts";

/** How the CLIs differ; each was seen in the pinned version. */
export interface Temper {
  /** A stream that is cut once is asked for again. */
  readonly retriesCutStream: boolean;
}

export function describeAgent(agent: SimAgent, temper: Temper): void {
  describe(agent, () => {
    const cli = findLabCli(agent);
    if (cli === null) test.skip(missingMessage(agent));
    else describeDrives(cli, temper);
  });
}

function describeDrives(cli: LabCli, { retriesCutStream }: Temper): void {
  test("a file is written, read and edited in the workspace", async () => {
    const drive = await driveCli(cli, FILE_CHANGES);
    expect(drive.report.holds, drive.account).toBe(true);
    expect(readFileSync(join(drive.workspace, "notes.txt"), "utf8")).toBe("alpha\ngamma\n");
  });

  test.each(["status: 429, retry_after: 1s", "status: 503"])(
    "after one failure (%s) the same question is asked again",
    async (fault) => {
      const drive = await driveCli(cli, failingOnce(fault));
      expect(drive.report.holds, drive.account).toBe(true);
      expect(drive.said).toContain("Here after all.");
    },
  );

  test(`a stream that is cut is ${retriesCutStream ? "asked for again" : "a failure"}`, async () => {
    const drive = await driveCli(cli, cutOnce(retriesCutStream));
    expect(drive.report.holds, drive.account).toBe(true);
  });
}
