// bash itself as a second opinion on what parses.
import fc from "fast-check";
import { expect, it } from "vitest";
import { runProcess } from "../../../src/core/process/run.ts";
import { analyzeLine } from "../../../src/core/shell/analyze-line.ts";
import { inTier } from "../../support/tier.ts";

const word = fc.constantFrom(
  ...["ls", "git", "push", "-f", "a b", "$x", "$(ls)", "`ls`", '"q"', "'q'", "\\", "|", "||", "&&"],
  ...["&", ";", ";;", "\n", "(", ")", "{", "}", "if", "then", "fi", "for", "in", "do", "done", "<"],
  ...[">", "<<E", "E", "2>&1", "case", "esac", "!", "[[", "]]", "x=1", "#", "'", '"', "$((1+1))"],
);
const line = fc.array(word, { maxLength: 7 }).map((words) => words.join(" "));

it("a line that bash refuses is never taken as read", { timeout: 120_000 }, async () => {
  const lines = fc.sample(line, { numRuns: inTier(150, 400), seed: 11 });
  // unbash 6.0.3 accepts a `!` in front of nothing, which bash 5.2 refuses: it runs nothing either way.
  const isKnown = (each: string): boolean => /!\s*(&|\|\||;|$)/.test(each);
  const taken = lines.filter((each) => analyzeLine(each).problem === null && !isKnown(each));
  expect(taken.length).toBeGreaterThan(50);
  const refused: string[] = [];
  for (const each of taken) {
    const args = ["-n", "-c", "--", each];
    const ending = await runProcess({
      executable: "bash",
      args,
      env: { PATH: "/usr/bin:/bin" },
      cwd: "/",
    });
    if (ending.exitCode !== 0) refused.push(each);
  }
  expect(refused).toEqual([]);
});
