import { describe, expect, test } from "vitest";
import { isRunning } from "../core/process/programs.ts";
import { waitUntil } from "../support/wait-until.ts";
import { expectPair, makeEndings } from "./endings.ts";

const pidsIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

describe("nothing that a command started stays behind", () => {
  test("a program that takes too long is ended with its children", async () => {
    const home = makeEndings();
    const { stdout, ...rest } = await home.adj("slow-program");
    expect(rest).toMatchObject({
      exitCode: 124,
      stderr: "adj: `slow-program` did not finish within 300 ms\n",
    });
    expect(pidsIn(stdout)).toHaveLength(2);
    expect(pidsIn(stdout).filter(isRunning)).toEqual([]);
    const ending = { exitCode: 124, kind: "failed", error: ["Timeout", "CommandTimeout"] } as const;
    expectPair(await home.events(), ending);
  });

  const SIGNALS = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const;
  const CANCELLED = { kind: "cancelled", error: ["Cancelled", "Cancelled"] } as const;

  test.each(SIGNALS)("%s while a handler runs", async (signal, exitCode) => {
    const home = makeEndings();
    const { child, printed, ended } = home.start("waiting");
    await printed("ready");
    child.kill(signal);
    const stderr = "adj: `waiting` was cancelled\n";
    expect(await ended).toMatchObject({ exitCode, stdout: "ready\n", stderr });
    expectPair(await home.events(), { ...CANCELLED, exitCode });
  });

  test.each(SIGNALS)("%s while a program runs that takes its time", async (signal, exitCode) => {
    const home = makeEndings();
    const { child, printed, ended } = home.start("stubborn-program");
    await printed("ready");
    child.kill(signal);
    const { stdout, ...rest } = await ended;
    const [pid = 0] = pidsIn(stdout);
    expect(stdout).toBe(`${pid} ready\ntidied\n`);
    expect(rest).toMatchObject({ exitCode, stderr: "adj: `stubborn-program` was cancelled\n" });
    expect(isRunning(pid)).toBe(false);
    expectPair(await home.events(), { ...CANCELLED, exitCode });
  });

  test("a second signal does not wait for a program that will not end", async () => {
    const home = makeEndings();
    const { child, printed, ended } = home.start("endless-program");
    await printed("ready");
    child.kill("SIGINT");
    child.kill("SIGTERM");
    const { stdout, exitCode } = await ended;
    // Signals that wait together are handed over in either order; the later one says how it ended.
    expect([130, 143]).toContain(exitCode);
    await waitUntil(() => !pidsIn(stdout).some(isRunning));
    const ending = { exitCode: 1, kind: "failed", error: ["Internal", "ProcessLost"] } as const;
    await home.adj("fine");
    const [dispatched, lost] = await home.events();
    expectPair(
      [dispatched, lost].filter((event) => event !== undefined),
      ending,
    );
  });
});
