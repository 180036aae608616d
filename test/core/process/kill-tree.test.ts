import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProcess } from "../../../src/core/process/run.ts";
import { canRunAsNobody, hasPrograms } from "../../support/programs.ts";
import { removeFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { longTest } from "../../support/tier.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { findCarriers, fixture, isRunning, shell, textOf } from "./programs.ts";

/** Calls back when so many processes of a fixture have said that they are ready. */
function whenReady(count: number, then: () => void) {
  let said = "";
  return (_channel: string, bytes: Uint8Array) => {
    const before = said.split("ready").length - 1;
    said += textOf(bytes);
    if (before < count && said.split("ready").length - 1 >= count) then();
  };
}

/** A limit within which a program has surely said its first word, beside whatever else runs. */
const TIME_TO_SPEAK_MS = 2_000;

const newRun = () => ({ runId: crypto.randomUUID() });

describe("when we end a program", () => {
  it("SIGTERM comes first, SIGKILL after the grace period", async () => {
    const run = newRun();
    const controller = new AbortController();
    const ending = await runProcess(fixture("ignore-sigterm.sh"), {
      ...run,
      graceMs: 400,
      signal: controller.signal,
      onChunk: whenReady(1, () => controller.abort()),
    });
    expect(ending).toMatchObject({ kind: "cancelled", signal: "SIGKILL", exitCode: null });
    expect(textOf(ending.stdout)).toBe("ready\nignored\n");
    expect(ending.durationMs).toBeGreaterThanOrEqual(400);
    expect(findCarriers(run.runId)).toEqual([]);
  });

  it("a program that needs a moment to tidy up has it, and is not waited for longer", async () => {
    const controller = new AbortController();
    const ending = await runProcess(fixture("tidy-up.sh"), {
      signal: controller.signal,
      onChunk: whenReady(1, () => controller.abort()),
    });
    expect(ending).toMatchObject({ kind: "cancelled", exitCode: 7 });
    expect(textOf(ending.stdout)).toBe("ready\ntidied\n");
  });

  longTest("the grace period is five seconds where nothing else is said", async () => {
    const ending = await runProcess(fixture("ignore-sigterm.sh"), { timeoutMs: 100 });
    expect(ending).toMatchObject({ kind: "timed_out", signal: "SIGKILL" });
    expect(ending.durationMs).toBeGreaterThanOrEqual(5_100);
  });

  it.each([
    ["timeout", "timed_out"],
    ["cancel", "cancelled"],
  ])("no process of a stubborn tree outlives a %s", async (way, kind) => {
    const run = newRun();
    const controller = new AbortController();
    let members: string[] = [];
    const ending = await runProcess(fixture("stubborn-tree.sh"), {
      ...run,
      graceMs: 200,
      signal: controller.signal,
      ...(way === "timeout" && { timeoutMs: 2_500 }),
      onChunk: whenReady(4, () => {
        members = findCarriers(run.runId);
        if (way === "cancel") controller.abort();
      }),
    });
    expect(members.length).toBeGreaterThanOrEqual(4);
    expect(ending).toMatchObject({ kind, signal: "SIGKILL", survivors: [] });
    expect(findCarriers(run.runId)).toEqual([]);
  });

  it("a process in a session of its own is told to end as well, and is gone", async () => {
    const run = newRun();
    const spec = shell(
      "setsid sh -c 'trap \"echo told; exit\" TERM; echo ready; while :; do sleep 0.05; done' & wait",
    );
    const controller = new AbortController();
    const ending = await runProcess(spec, {
      ...run,
      signal: controller.signal,
      onChunk: () => controller.abort(),
    });
    expect(textOf(ending.stdout)).toBe("ready\ntold\n");
    expect(findCarriers(run.runId)).toEqual([]);
  });

  it("a consumer that never comes back does not hold up the return", async () => {
    const never = new Promise<void>(() => {});
    const ending = await runProcess(shell("echo hi; sleep 300"), {
      timeoutMs: TIME_TO_SPEAK_MS,
      onChunk: () => never,
    });
    expect(ending).toMatchObject({ kind: "timed_out" });
    expect(textOf(ending.stdout)).toBe("hi\n");
  });
});

describe("when a program ends by itself", () => {
  it.each([
    ["grandchildren that hold the pipe", fixture("hold-pipe.sh", "3"), 3],
    ["a grandchild in a session of its own", fixture("leave-session.sh", "go"), 0],
    ["a chain of processes that each start the next", fixture("fork-on.sh", "20"), 0],
    ["one that lost its environment but not its group", shell("env -i sleep 300 & exit 2"), 2],
  ])("%s are ended, and the ending is the program's own", async (_what, spec, exitCode) => {
    const run = newRun();
    const ending = await runProcess(spec, run);
    expect(ending).toMatchObject({ kind: "exited", exitCode, survivors: [] });
    expect(findCarriers(run.runId)).toEqual([]);
  });

  longTest("none of a chain escapes on a busy machine, where starting takes long", async () => {
    const stop = new AbortController();
    const busy = [1, 2, 3, 4].map(() =>
      runProcess(shell("while :; do :; done"), { signal: stop.signal }),
    );
    const escaped: string[] = [];
    for (let round = 0; round < 60; round++) {
      const run = newRun();
      await runProcess(fixture("fork-on.sh", "20"), run);
      escaped.push(...findCarriers(run.runId));
    }
    stop.abort();
    await Promise.all(busy);
    expect(escaped).toEqual([]);
  });

  it("what it leaves behind is told before it is killed", async () => {
    const folder = temporaryFolder();
    const leftover =
      'trap "echo tidied > note; exit" TERM; : > ready; while :; do sleep 0.01; done';
    const wait = "while [ ! -e ready ]; do sleep 0.01; done";
    const spec = shell(`setsid sh -c '${leftover}' >/dev/null 2>&1 & ${wait}`);
    await runProcess({ ...spec, cwd: folder });
    expect(textOf((await runProcess({ ...shell("cat note"), cwd: folder })).stdout)).toBe(
      "tidied\n",
    );
  });

  it("with `on-kill` its background processes go on, and do not hold up the return", async () => {
    const ending = await runProcess(shell("sleep 300 & echo $!"), { reap: "on-kill" });
    const pid = Number(textOf(ending.stdout));
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0 });
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  it("a grandchild that no trace leads to does not hold up the return", async () => {
    const fifo = join(temporaryFolder(), "fifo");
    const ending = await runProcess(fixture("escape.sh", fifo, "sleep 300"));
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0 });
    const pid = Number(textOf(ending.stdout));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  it("nor does one that writes without end", async () => {
    const fifo = join(temporaryFolder(), "fifo");
    const onChunk = () => pause(0);
    const ending = await runProcess(fixture("escape.sh", fifo, "yes"), { onChunk });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0, truncated: true });
  });

  it("a run is never confused with another whose id begins the same", async () => {
    const { runId } = newRun();
    const controller = new AbortController();
    let isAlive = false;
    await runProcess(shell("echo $$; exec sleep 300"), {
      runId: `${runId}-longer`,
      signal: controller.signal,
      onChunk: async (_channel, bytes) => {
        await runProcess(shell("exit 0"), { runId });
        // Not by its variables, which cannot be seen while it becomes `sleep`.
        isAlive = isRunning(Number(textOf(bytes)));
        controller.abort();
      },
    });
    expect(isAlive).toBe(true);
  });
});

describe("when the process that runs programs is ended itself", () => {
  it("an exit in the middle of a run leaves nothing behind", async () => {
    const run = newRun();
    const ending = await runProcess(fixture("exit-in-the-middle.ts"), { ...run, reap: "on-kill" });
    expect(ending).toMatchObject({ kind: "exited", exitCode: 3 });
    expect(findCarriers(run.runId)).toEqual([]);
  });

  it("a run that was killed is tidied up by the run around it", async () => {
    const run = newRun();
    let members: string[] = [];
    const controller = new AbortController();
    const ending = await runProcess(fixture("run-inside.ts"), {
      ...run,
      graceMs: 200,
      signal: controller.signal,
      onChunk: whenReady(4, () => {
        members = findCarriers(`ADJ_RUN_ID=${run.runId}/`);
        controller.abort();
      }),
    });
    expect(members.length).toBeGreaterThanOrEqual(4);
    expect(ending).toMatchObject({ kind: "cancelled", signal: "SIGKILL", survivors: [] });
    expect(findCarriers(run.runId)).toEqual([]);
  });
});

describe("a process of another user", () => {
  it.runIf(canRunAsNobody && hasPrograms("setpriv"))("is given up on and reported", async () => {
    // Not in memory, where a program cannot be another user's on many machines.
    const folder = mkdtempSync("/tmp/adjutant-");
    onTestFinished(() => removeFolder(folder));
    const setUp = 'cp "$(command -v setpriv)" become && chmod 4755 become && chmod 755 .';
    await runProcess({ ...shell(setUp), cwd: folder });
    const { executable, args, ...rest } = fixture("give-up.ts", join(folder, "become"));
    const asNobody = ["--reuid=65534", "--regid=65534", "--clear-groups", executable, ...args];
    const ending = await runProcess({ ...rest, executable: "setpriv", args: asNobody });
    const { pid, ...report } = JSON.parse(textOf(ending.stdout));
    expect(report).toEqual({ kind: "timed_out", exitCode: null, signal: null, survivors: [pid] });
    // The run around it ended it; the system takes it away in its own time.
    await waitUntil(() => !isRunning(pid));
  });
});
