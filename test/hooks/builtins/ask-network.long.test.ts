// Lines are run beside a server on this machine: whatever reaches it was asked about.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { shellSubject } from "../../core/shell/subjects.ts";
import { confineTo, hasBubblewrap } from "../../support/bubblewrap.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { readLines } from "./fixtures/read-lines.ts";
import { decideBy, placeIn } from "./place.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "adj-network-")));
afterAll(() => removeFolder(folder));

function reaching(lines: readonly string[]): string[] {
  const [given, work] = [join(folder, "lines"), join(folder, "work")];
  for (const each of [given, work]) mkdirSync(each);
  for (const [index, line] of lines.entries())
    writeFileSync(join(given, String(index).padStart(4, "0")), `${line}\n`);
  const script = join(FIXTURES, "run-network-lines.sh");
  const words = ["bash", script, given, work, join(FIXTURES, "count-connections.mjs")];
  const [program = "", ...args] = confineTo(folder, words);
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const names = execFileSync(program, args, { env, encoding: "utf8" }).split("\n");
  return names.filter((name) => name !== "").flatMap((name) => lines[Number(name)] ?? []);
}

it.runIf(hasBubblewrap)(
  "every line that reaches a host is asked about",
  { timeout: 900_000 },
  async () => {
    const lines = readLines("network-lines.txt");
    const reached = reaching(lines);
    const unasked: string[] = [];
    const unseen = new Set(readLines("network-unseen.txt"));
    let knownGaps = 0;
    for (const line of reached) {
      const subject = shellSubject(line, { root: folder });
      const verdict = await decideBy("ask-network", { subject, place: placeIn(folder) });
      if (verdict.permission === "ask") continue;
      if (unseen.has(line)) knownGaps++;
      else unasked.push(line);
    }
    const figures = { lines: lines.length, reached: reached.length, knownGaps };
    console.info({ ...figures, otherwiseUnasked: unasked.length });
    expect(unasked).toEqual([]);
    // Where nothing is reached nothing is shown.
    expect(reached.length).toBeGreaterThan(lines.length / 2);
  },
);
