// A small file system of its own, to be filled up or made read-only. Only root may mount one.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmdirSync } from "node:fs";
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

/** Also while files in it are open: those can still be written, nothing else can be opened for it. */
export function coverReadOnly(folder: string): void {
  run("mount", ["--bind", folder, folder]);
  run("mount", ["-o", "remount,ro,bind", folder]);
}

export function uncover(folder: string): void {
  run("umount", ["--lazy", folder]);
}

/** Until not a byte more fits; gives the file that is to be removed then. */
export function fillDisk(folder: string): string {
  const ballast = join(folder, "ballast");
  for (const bytes of [4096, 1]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(bytes, 1));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
  return ballast;
}
