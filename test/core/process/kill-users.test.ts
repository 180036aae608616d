import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, realpathSync } from "node:fs";
import { uptime } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { RUN_ID_NAME } from "../../../src/core/process/environment.ts";
import { killProcessesUsing } from "../../../src/core/process/kill-users.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface SleeperOptions {
  readonly cwd?: string;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function startSleeper({
  cwd = "/",
  words = [],
  env = {},
}: SleeperOptions): Promise<ChildProcess> {
  const child = spawn("sh", ["-c", "echo up; sleep 300", ...words], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => endGroup(child));
  await once(child.stdout, "data");
  return child;
}

function endGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of it is left.
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

async function waitForEnd(child: ChildProcess): Promise<void> {
  if (isRunning(child)) await once(child, "exit");
}

test.runIf(process.platform === "linux")(
  "who lives in the folder is ended; who is elsewhere, or was there before, is not",
  async () => {
    const folder = realpathSync(temporaryFolder());
    const since = uptime();
    const inside = await startSleeper({ cwd: folder });
    const named = await startSleeper({ words: [`${folder}/file`] });
    const elsewhere = await startSleeper({});
    expect(await killProcessesUsing({ folder, since: uptime() + 60 })).toEqual([]);
    expect([inside, named, elsewhere].map(isRunning)).toEqual([true, true, true]);
    expect(await killProcessesUsing({ folder, since })).toEqual([]);
    await Promise.all([inside, named].map(waitForEnd));
    expect(isRunning(elsewhere)).toBe(true);
  },
);

test.runIf(process.platform === "linux")(
  "in a folder that others share, who is theirs is left alone",
  async () => {
    const folder = realpathSync(temporaryFolder());
    const since = uptime();
    const child = await startSleeper({ cwd: folder });
    const carrier = await startSleeper({ cwd: folder, env: { [RUN_ID_NAME]: "run/inner" } });
    // Its parent ends at once, so it is nobody's child.
    const parent = spawn("sh", ["-c", "sleep 300 & echo $!"], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [said] = await once(parent.stdout, "data");
    await waitForEnd(parent);
    const orphan = Number(String(said));
    expect(stateOf(orphan)).toMatch(/^[RSD]$/);
    const around = { folder, runId: "run" };
    await killProcessesUsing({ folder: `${folder}/own`, since, around });
    expect(stateOf(orphan)).toMatch(/^[ZX]?$/);
    expect([child, carrier].map(isRunning)).toEqual([true, true]);
  },
);

/** As the kernel has it; nothing for a process that is gone. */
function stateOf(pid: number): string {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1] ?? "";
  } catch {
    return "";
  }
}
