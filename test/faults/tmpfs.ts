// A small file system of its own, to be filled up or made read-only. Only root may mount one.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const run = (program: string, args: readonly string[]) =>
  void execFileSync(program, args, { stdio: "ignore" });

function mount(options: string): string {
  const folder = mkdtempSync(join(tmpdir(), "adj-tmpfs-"));
  try {
    run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return folder;
}

function unmount(folder: string): void {
  run("umount", ["--lazy", folder]);
  rmdirSync(folder);
}

export function mountTmpfs(options: string): string {
  const folder = mount(options);
  onTestFinished(() => unmount(folder));
  return folder;
}

export function makeReadOnly(folder: string): void {
  run("mount", ["-o", "remount,ro", folder]);
}

export function canMount(): boolean {
  try {
    unmount(mount("size=64k"));
    return true;
  } catch {
    return false;
  }
}
