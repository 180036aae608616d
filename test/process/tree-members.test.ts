import { uptime } from "node:os";
import { describe, expect, it } from "vitest";
import { carriesRunId } from "../../src/process/run-id.ts";
import { runProcess } from "../../src/process/run-process.ts";
import { findMembersInProc, type ProcessTree } from "../../src/process/tree-members.ts";
import { findMembersByPs } from "../../src/process/tree-members-by-ps.ts";
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

describe.each([
  ["in /proc", findMembersInProc],
  ["by ps", findMembersByPs],
])("members found %s", (_way, findMembers) => {
  it("are those in the group and those with the id, zombies and strangers left out", async () => {
    const runId = crypto.randomUUID();
    const controller = new AbortController();
    // In the group, out of the group, in the group without the id, and a child that nobody buries.
    const command =
      "sleep 300 & setsid sleep 300 & env -i sleep 300 & sh -c ': &' & echo $$; exec sleep 300";
    let seen: number[] = [];
    let root = 0;
    const ending = await runProcess(shell(command), {
      runId,
      signal: controller.signal,
      onChunk: (_channel, bytes) => {
        root = Number(textOf(bytes));
        const tree: ProcessTree = { pid: root, runId, ownsGroup: true, since: uptime() };
        seen = findMembers(tree).members.map(({ pid }) => pid);
        controller.abort();
      },
    });
    expect(ending.kind).toBe("cancelled");
    expect(seen).toContain(root);
    expect(seen.length).toBeGreaterThanOrEqual(4);
    expect(seen).not.toContain(process.pid);
    const gone: ProcessTree = { pid: root, runId, ownsGroup: true, since: uptime() };
    expect(findMembers(gone).members).toEqual([]);
  });
});
