import { uptime } from "node:os";
import { describe, expect, it } from "vitest";
import { carriesRunId } from "../../../src/core/process/environment.ts";
import {
  findMembersByPs,
  findMembersInProc,
  isOfRun,
  type ProcessTree,
} from "../../../src/core/process/process-tree.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import { hasPrograms } from "../../support/programs.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { shell, textOf } from "./programs.ts";

describe("the id of a run in an environment", () => {
  it.each([
    ["ADJ_RUN_ID=a", true],
    ["ADJ_RUN_ID=a\0", true],
    ["PATH=/bin\0ADJ_RUN_ID=a\0HOME=/\0", true],
    ["ADJ_RUN_ID=a/b\0", true],
    ["X=ADJ_RUN_ID=a\0ADJ_RUN_ID=a\0", true],
    ["ADJ_RUN_ID=ab\0", false],
    ["ADJ_RUN_ID=b/a\0", false],
    ["X_ADJ_RUN_ID=a\0", false],
    ["X=ADJ_RUN_ID=a\0", false],
    ["", false],
  ])("%j belongs to run `a`: %s", (environment, expected) => {
    expect(carriesRunId(Buffer.from(environment), "a")).toBe(expected);
  });
});

describe("the number of a process", () => {
  it.each([
    [50, 50, 60, true],
    [60, 50, 60, true],
    [49, 50, 60, false],
    // Given before the child's, and higher: numbers have come round since.
    [61, 50, 60, false],
    [32_000, 31_990, 320, true],
    [310, 31_990, 320, true],
    [400, 31_990, 320, false],
    [7, 50, null, true],
  ])("%i may be of a run from %i while %s is the last: %s", (pid, first, last, expected) => {
    expect(isOfRun(pid, first, last)).toBe(expected);
  });
});

describe.each([
  ["in /proc", findMembersInProc],
  ["by ps", findMembersByPs],
])("members found %s", (_way, findMembers) => {
  it.runIf(findMembers !== findMembersByPs || hasPrograms("ps"))(
    "are those in the group and those with the id, zombies and strangers left out",
    async () => {
      const since = uptime();
      const runId = crypto.randomUUID();
      const controller = new AbortController();
      // In the group, out of the group, in the group without the id, and a dead child that nobody buries.
      const children = "sleep 300 & setsid sleep 300 & env -i sleep 300 & (exit 0) &";
      let tree: ProcessTree = { pid: 0, runId, ownsGroup: true, since };
      const pidsOf = () => findMembers(tree).members.map(({ pid }) => pid);
      let seen: number[] = [];
      await runProcess(shell(`${children} echo $$; exec sleep 300`), {
        runId,
        signal: controller.signal,
        onChunk: async (_channel, bytes) => {
          tree = { ...tree, pid: Number(textOf(bytes)) };
          // The dead child is seen as long as it lives, one in the middle of `exec` is not.
          await waitUntil(() => pidsOf().length === 4);
          seen = pidsOf();
          controller.abort();
        },
      });
      expect(seen).toContain(tree.pid);
      expect(new Set(seen).size).toBe(4);
      expect(pidsOf()).toEqual([]);
    },
  );
});
