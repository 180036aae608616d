import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveInWorkspace } from "../../../src/agents/run/workspace.ts";
import { makePlace } from "./scripted-agent.ts";

const SEGMENTS = ["a", "b", "..", ".", "up", "out", "in", "gone", "..a", "file"];

function makeMaze(): string {
  const { workspace, folder } = makePlace();
  mkdirSync(join(workspace, "a", "b"), { recursive: true });
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(workspace, "a", "file"), "");
  for (const at of [workspace, join(workspace, "a")]) {
    symlinkSync("..", join(at, "up"));
    symlinkSync(join(folder, "elsewhere"), join(at, "out"));
    symlinkSync(join(workspace, "a"), join(at, "in"));
    symlinkSync(join(folder, "elsewhere", "not-yet"), join(at, "gone"));
  }
  return workspace;
}

test("whatever is written where a path was placed lands inside, however it winds", async () => {
  const workspace = makeMaze();
  const path = fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(path, fc.boolean(), async (segments, isAbsolute) => {
      const wanted = isAbsolute ? [workspace, ...segments].join("/") : segments.join("/");
      // A file in the way of a folder is the system's to refuse.
      const placed = await resolveInWorkspace(workspace, wanted).catch(() => null);
      if (placed === null) return;
      await mkdir(dirname(placed), { recursive: true }).catch(() => undefined);
      const isWritten = await writeFile(placed, "x").then(
        () => true,
        () => false,
      );
      if (isWritten) expect(`${await realpath(placed)}${sep}`).toContain(`${workspace}${sep}`);
    }),
  );
});

test("a workspace that is itself reached by a link holds its files", async () => {
  const { workspace, folder } = makePlace();
  const link = join(folder, "link");
  symlinkSync(workspace, link);
  expect(await resolveInWorkspace(link, join(link, "new", "file.txt"))).toBe(
    join(workspace, "new", "file.txt"),
  );
});
