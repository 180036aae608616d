import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { claudeCodeInstaller } from "../../../src/agents/claude-code/install.ts";
import { inTier } from "../../support/tier.ts";
import { ENTRY_INSTALLERS, openBench } from "./installing.ts";

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe("the file on disk", () => {
  test.each([0o600, 0o664, 0o444])("keeps its permissions (%o)", async (mode) => {
    const bench = openBench(claudeCodeInstaller);
    bench.write("{}");
    chmodSync(bench.file, mode);
    await bench.install();
    expect(modeOf(bench.file)).toBe(mode);
    await bench.uninstall();
    expect(modeOf(bench.file)).toBe(mode);
  });

  test("is the user's alone when it is new, and shared in a project", async () => {
    const [own, shared] = [
      openBench(claudeCodeInstaller),
      openBench(claudeCodeInstaller, "project"),
    ];
    await own.install();
    await shared.install();
    expect(modeOf(own.file)).toBe(0o600);
    expect(modeOf(shared.file)).toBe(0o666 & ~process.umask());
  });

  test.each(["there", "not there yet"])(
    "is written through a link to one that is %s",
    async (is) => {
      const bench = openBench(claudeCodeInstaller);
      const kept = join(bench.folder, "dotfiles", "settings.json");
      mkdirSync(dirname(kept));
      mkdirSync(dirname(bench.file));
      if (is === "there") writeFileSync(kept, "{}");
      symlinkSync(kept, bench.file);
      await bench.install();
      expect(readlinkSync(bench.file)).toBe(kept);
      expect(readFileSync(kept, "utf8")).toContain("adj hook claude-code");
      await bench.uninstall();
      expect(lstatSync(bench.file).isSymbolicLink()).toBe(true);
      expect(bench.read()?.toString() ?? null).toBe(is === "there" ? "{}" : null);
    },
  );

  test("that cannot be written is a fault that names it", async () => {
    const bench = openBench(claudeCodeInstaller);
    writeFileSync(dirname(bench.file), "a file where the folder should be");
    await expect(bench.install()).rejects.toThrow(/settings\.json/);
  });

  test("with a dry run nothing is written", async () => {
    const bench = openBench(claudeCodeInstaller);
    bench.write("{}");
    const change = await bench.install();
    await bench.uninstall();
    const tried = await bench.tryInstall();
    expect(tried).toEqual(change);
    expect(bench.text()).toBe("{}");
  });
});

describe.each(inTier(ENTRY_INSTALLERS.slice(0, 1), ENTRY_INSTALLERS))(
  "killed while it installs for $agent",
  ({ agent, ...rest }) => {
    test("it leaves the old file or the new one, and uninstall gives the old one back", async () => {
      const bench = openBench({ agent, ...rest });
      const old = `${JSON.stringify(rest.seed)}\n`;
      bench.write(old);
      const { after } = await bench.install();
      for (let round = 0; round < inTier(2, 4); round++) {
        await killDuring(bench.folder, agent, 1 + round * 3);
        expect([old, after]).toContain(bench.text());
      }
      await bench.uninstall();
      expect(bench.text()).toBe(old);
    });
  },
);

/** Kills it at some moment after it has said so many times that it did something. */
async function killDuring(folder: string, agent: string, times: number): Promise<void> {
  const program = join(import.meta.dirname, "fixtures", "keep-installing.ts");
  const child = spawn(process.execPath, [program, folder, agent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let said = 0;
  child.stdout.on("data", () => {
    said++;
    if (said >= times) child.kill("SIGKILL");
  });
  const [, signal] = await closed;
  expect(signal).toBe("SIGKILL");
}
