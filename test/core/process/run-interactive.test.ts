import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { joinWords } from "../../../src/core/command/words.ts";
import { runInteractive, runProcess } from "../../../src/core/process/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { longTest } from "../../support/tier.ts";
import { findCarriers, fixture, isRunning, shell, textOf } from "./programs.ts";

/** Runs the command as a person's terminal would: `script` gives it a pseudo-terminal. */
async function runAtTerminal(command: string, ...cancelAt: string[]) {
  const report = join(temporaryFolder(), "report");
  const { executable, args, ...rest } = fixture("lend-terminal.ts", report, command, ...cancelAt);
  const line = `exec ${joinWords([executable, ...args])}`;
  const runId = crypto.randomUUID();
  const spec = { ...rest, executable: "script", args: ["-qec", line, "/dev/null"] };
  const outer = await runProcess(spec, { runId, reap: "on-kill" });
  return { outer, runId, ending: JSON.parse(readFileSync(report, "utf8")) };
}

describe("an interactive program", () => {
  it("has the terminal itself, in the foreground", async () => {
    const inForeground = "[ $(cut -d' ' -f5 /proc/$$/stat) = $(cut -d' ' -f8 /proc/$$/stat) ]";
    const probe = `[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && ${inForeground} && : < /dev/tty && exit 5`;
    const { ending } = await runAtTerminal(probe);
    expect(ending).toMatchObject({ kind: "exited", exitCode: 5, stdout: {}, truncated: false });
  });

  it("shares our stdin and stdout where there is no terminal", async () => {
    const report = join(temporaryFolder(), "report");
    const outer = await runProcess(fixture("lend-terminal.ts", report, "cat; echo err >&2"), {
      stdin: "through",
    });
    expect([textOf(outer.stdout), textOf(outer.stderr)]).toEqual(["through", "err\n"]);
  });

  it("decides itself what an interrupt of the terminal means", async () => {
    const { ending } = await runAtTerminal("trap 'exit 9' INT; kill -INT 0; sleep 300");
    expect(ending).toMatchObject({ kind: "exited", exitCode: 9 });
  });

  it("may die of it", async () => {
    const { ending } = await runAtTerminal("kill -INT 0; sleep 300");
    expect(ending).toMatchObject({ kind: "signalled", signal: "SIGINT", exitCode: null });
  });

  const cancelWith = async (own: string) => {
    const ready = join(temporaryFolder(), "ready");
    const command = `setsid sh -c '${own} : > ${ready}; while :; do sleep 1; done' & sleep 300`;
    const { ending, runId } = await runAtTerminal(command, ready);
    expect(ending).toMatchObject({ kind: "cancelled", signal: "SIGTERM", survivors: [] });
    expect(findCarriers(runId)).toEqual([]);
  };
  it("is ended by a cancel, with all that it started", () => cancelWith(""));
  longTest("is ended by a cancel, stubborn children and all", () => cancelWith('trap "" TERM;'));

  it("may leave something running in the background, as in a shell", async () => {
    const file = join(temporaryFolder(), "pid");
    // It has left the terminal's session before the terminal goes away.
    const left = `setsid sh -c 'echo $$ > ${file}; exec sleep 300' > /dev/null 2>&1 &`;
    const { ending } = await runAtTerminal(`${left} until [ -s ${file} ]; do sleep 0.01; done`);
    const pid = Number(readFileSync(file, "utf8"));
    expect(ending).toMatchObject({ kind: "exited", exitCode: 0 });
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  it("that cannot be started, or was cancelled before, is a value like any other", async () => {
    const missing = { ...shell(""), executable: "no-such-program" };
    expect(await runInteractive(missing)).toMatchObject({ kind: "not_started", code: "ENOENT" });
    const cancelled = await runInteractive(shell("exit 1"), AbortSignal.abort());
    expect(cancelled).toMatchObject({ kind: "cancelled", pid: null });
  });
});
