// Starts a program that outlives this one and has nothing to do with it any more.
import { spawn } from "node:child_process";
import type { CommandSpec } from "./command-spec.ts";
import { RUN_ID_NAME } from "./environment.ts";

/** Nobody waits for it, so it belongs to no run: whoever ends this run must not take it along. */
export function startDetached({ executable, args, cwd, env }: CommandSpec): void {
  const { [RUN_ID_NAME]: _, ...own } = env;
  const child = spawn(executable, [...args], { cwd, env: own, stdio: "ignore", detached: true });
  // Not to be started is the worst that can happen, and then the next one tries.
  child.on("error", () => undefined);
  child.unref();
}
