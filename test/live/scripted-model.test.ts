// What every agent CLI must do with a scripted model; what its log says of it is in run-log/.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { driveCli } from "./drive-cli.ts";
import { findLabCli, LAB_AGENTS, type LabAgent, type LabCli, missingMessage } from "./lab.ts";
import { cutOnce, FILE_CHANGES, failingOnce } from "./scenarios.ts";

/** The agents that ask again for a stream that was cut once; each was seen in the pinned version. */
const RETRIES_CUT_STREAM: Readonly<Record<LabAgent, boolean>> = {
  "claude-code": true,
  codex: true,
  gemini: false,
  opencode: true,
  copilot: true,
  qwen: true,
};

describe.each(LAB_AGENTS)("%s", (agent) => {
  const cli = findLabCli(agent);
  if (cli === null) test.skip(missingMessage(agent));
  else describeDrives(cli, RETRIES_CUT_STREAM[agent]);
});

function describeDrives(cli: LabCli, retriesCutStream: boolean): void {
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
