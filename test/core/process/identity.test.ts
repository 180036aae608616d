import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  decideAlive,
  identifySelf,
  isAlive,
  parseLinuxStat,
  parsePsLine,
  type SeenState,
} from "../../../src/core/process/identity.ts";
import { waitUntil } from "../../support/wait-until.ts";

const isLinux = process.platform === "linux";

test("this process is alive, and the same each time it is asked", () => {
  expect(identifySelf()).toBe(identifySelf());
  expect(identifySelf().pid).toBe(process.pid);
  expect(isAlive(identifySelf())).toBe(true);
});

test("a pid that was given to somebody else is not the same process", () => {
  expect(isAlive({ ...identifySelf(), startedAt: "1" })).toBe(false);
  expect(isAlive({ ...identifySelf(), pid: process.ppid, startedAt: "1" })).toBe(false);
});

test("a process on another host cannot be seen", () => {
  expect(isAlive({ ...identifySelf(), host: "elsewhere" })).toBe("unseen");
});

describe.skipIf(!isLinux)("on Linux, by /proc", () => {
  const startOf = (pid: number) => {
    const sighting = parseLinuxStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return sighting.kind === "seen" ? sighting.startedAt : "";
  };

  test("another process is alive until it has ended", async () => {
    const child = spawn("sleep", ["60"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    const pid = Number(child.pid);
    const identity = { ...identifySelf(), pid, startedAt: startOf(pid) };
    expect(isAlive(identity)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(identity)).toBe(false);
  });

  test("a zombie counts as dead", async () => {
    // `sleep` never buries the child it inherits from the shell, which would: the child ends when the shell is no more.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [line] = await once(createInterface({ input: parent.stdout }), "line");
    const pid = Number(line);
    const stat = (of: number | undefined) => readFileSync(`/proc/${of}/stat`, "latin1");
    await waitUntil(() => stat(parent.pid).includes(" (sleep) "));
    process.kill(pid, "SIGKILL");
    await waitUntil(() => / Z /.test(stat(pid)));
    expect(isAlive({ ...identifySelf(), pid, startedAt: startOf(pid) })).toBe(false);
  });
});

describe("what the system shows is read the same whatever the process is called", () => {
  const tail = "S 1 42 42 0 -1 4194560 10 0 0 0 1 2 0 0 20 0 1 0 987654 0 0";
  test.each<[string, string, SeenState]>([
    ["a plain name", `42 (node) ${tail}`, seen("S", "987654")],
    ["a name with spaces", `42 (tmux: server) ${tail}`, seen("S", "987654")],
    ["a name with a parenthesis", `42 (a) Z 1 (b) ${tail}`, seen("S", "987654")],
    ["a line that was cut short", "42 (node) S 1 42", { kind: "hidden" }],
    ["nothing", "", { kind: "hidden" }],
  ])("/proc/PID/stat with %s", (_, stat, expected) => {
    expect(parseLinuxStat(stat)).toEqual(expected);
  });

  test.each<[string, string, SeenState]>([
    [
      "a running process",
      "Ss+  Sun Nov 15 22:26:01 2026\n",
      seen("Ss+", "Sun Nov 15 22:26:01 2026"),
    ],
    ["a one-digit day", "S    Sun Nov  1 02:06:01 2026\n", seen("S", "Sun Nov 1 02:06:01 2026")],
    ["no process", "\n", { kind: "gone" }],
  ])("ps with %s", (_, line, expected) => {
    expect(parsePsLine(line)).toEqual(expected);
  });
});

describe("a process is alive when it is seen running since the same moment", () => {
  const identity = { pid: 42, startedAt: "7", host: "here" };
  test.each<[string, SeenState, boolean | "unseen"]>([
    ["running", seen("R", "7"), true],
    ["stopped", seen("T", "7"), true],
    ["zombie", seen("Z", "7"), false],
    ["zombie on macOS", seen("Z+", "7"), false],
    ["dead", seen("X", "7"), false],
    ["another start", seen("R", "8"), false],
    ["gone", { kind: "gone" }, false],
    ["hidden", { kind: "hidden" }, "unseen"],
  ])("%s", (_, sighting, expected) => {
    expect(decideAlive(identity, sighting)).toBe(expected);
  });
});

function seen(state: string, startedAt: string): SeenState {
  return { kind: "seen", state, startedAt };
}
