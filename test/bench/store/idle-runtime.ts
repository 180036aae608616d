// Trials that take a while and answer; what they are told on the way can be followed.

import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TaskRun, TrialRuntime } from "../../../src/bench/run/runtime.ts";
import { runProcess } from "../../../src/core/process/run.ts";
import { sampleLog } from "../../agents/log/transcript/sample-log.ts";
import { removeFolder } from "../../support/temporary-folder.ts";

export interface IdleRuntime {
  readonly runtime: TrialRuntime;
  remove(): void;
}

export function openIdleRuntime(
  trialMs: number,
  { onStart = () => {} }: { readonly onStart?: (run: TaskRun) => void } = {},
): IdleRuntime {
  const workDir = realpathSync(mkdtempSync(join(tmpdir(), "adj-idle-")));
  const refuse = () => Promise.reject(new Error("nothing is graded here"));
  const runtime: TrialRuntime = {
    workDir,
    worker: `idle:${process.pid}`,
    findEvaluator: () => null,
    graderRunner: () => runProcess,
    async runTask(run) {
      onStart(run);
      await pause(trialMs, undefined, { signal: run.signal });
      const messages = [{ role: "assistant", content: "done" }] as const;
      return { log: sampleLog({ messages }), prompt: "" };
    },
    askAgent: refuse,
    runCommand: refuse,
    environment: () => ({}),
    receive: async (plan) => plan,
    store: async () => "0".repeat(64),
    inheritTrust: async () => () => {},
    dispose: async (place) => removeFolder(place),
  };
  return { runtime, remove: () => removeFolder(workDir) };
}
