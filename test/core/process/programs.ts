// How these tests start programs, and how they look, on their own, for what is left of them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandSpec } from "../../../src/core/process/command-spec.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const env = { PATH: process.env.PATH ?? "" };

/** A program of `fixtures/` that misbehaves on purpose. */
export function fixture(name: string, ...args: string[]): CommandSpec {
  const executable = name.endsWith(".sh") ? "sh" : process.execPath;
  return { executable, args: [join(FIXTURES, name), ...args], env, cwd: FIXTURES };
}

export function shell(command: string, ...words: string[]): CommandSpec {
  return { executable: "sh", args: ["-c", command, "sh", ...words], env, cwd: "/" };
}

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** The pids of all living processes with this text in their environment. */
export function findCarriers(text: string): string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && carries(pid, text));
}

function carries(pid: string, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(text);
  } catch {
    return false;
  }
}

/** The command lines of all processes that have this text in theirs. */
export const commandLinesWith = (text: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return [];
      }
    })
    .filter((line) => line.includes(text));

export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** For fixtures: the same program, as part of the run that this process belongs to. */
export function inThisRun(spec: CommandSpec): CommandSpec {
  return { ...spec, env: { ...spec.env, ADJ_RUN_ID: process.env.ADJ_RUN_ID ?? "" } };
}
