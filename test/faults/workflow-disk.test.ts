import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRun, done, type TestScript } from "../workflow/engine/scripted-run.ts";
import { canMount, mountTmpfs } from "./tmpfs.ts";

const CALLS = 12;

test.skipIf(!canMount())(
  "a run on a full disk ends with one line, and goes on where it was when there is space",
  async () => {
    const folder = mountTmpfs("size=2m");
    const ballast = join(folder, "ballast");
    writeFileSync(ballast, Buffer.alloc(1024 * 1024));
    const run = createRun(folder, {
      callAgent: async ({ effect }) => done(effect.prompt.repeat(20_000)),
    });
    const handedOn: number[] = [];
    const script: TestScript = async ({ agent }) => {
      for (let at = 0; at < CALLS; at++) {
        await agent(`call ${at}`);
        handedOn.push(at);
      }
      return "all";
    };
    await expect(run.execute(script)).rejects.toMatchObject({
      code: "StoreUnavailable",
      message: `\`${join(folder, "workflow.db")}\` cannot be used: the disk is full`,
    });
    const before = handedOn.splice(0);
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(CALLS);
    rmSync(ballast);
    const billed = run.billed.length;
    expect(await run.execute(script)).toMatchObject({ kind: "done", result: "all" });
    // The one whose result found no room was under way.
    expect(run.billed).toHaveLength(CALLS + (billed - before.length));
  },
);
