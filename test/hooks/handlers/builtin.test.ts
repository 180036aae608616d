import { expect, test } from "vitest";
import { parseHooksFile } from "../../../src/hooks/pipeline/file.ts";
import { problemOf } from "../../support/faults.ts";
import { runRule } from "./handlers.ts";

const parse = (text: string) =>
  parseHooksFile(text, { file: "hooks.yaml", layer: "user", folder: "/", workingFolder: "/" });

const faultIn = (text: string): string => problemOf(() => parse(text));

test("a builtin decides with its options", async () => {
  const [rule] = parse(
    "hooks: [{ name: never, on: before_tool, run: { builtin: deny, with: { reason: not here } } }]",
  ).rules;
  if (rule === undefined) throw new Error("no rule");
  expect(await runRule(rule.run, rule)).toEqual({
    kind: "verdict",
    verdict: expect.objectContaining({ reason: "not here" }),
    stderr: null,
  });
});

test("one that another version knew is an error", async () => {
  expect(await runRule({ type: "builtin", builtin: "of-tomorrow", with: null })).toEqual({
    kind: "error",
    problem: "there is no builtin `of-tomorrow`",
  });
});

test.each([
  [
    "a misspelt name",
    "{ builtin: dney }",
    /^hooks\.yaml:1:44: unknown builtin `dney`; did you mean `deny`\? known are /,
  ],
  [
    "options it does not have",
    "{ builtin: deny, with: { reazon: x } }",
    /^hooks\.yaml:1:\d+: .*`reazon`/,
  ],
])("%s is told with its place", (_, run, problem) => {
  expect(faultIn(`hooks: [{ name: x, on: before_tool, run: ${run} }]`)).toMatch(problem);
});

test("a step it has nothing to say at is told with those it is for", () => {
  const problem = faultIn("hooks: [{ name: x, on: session_end, run: { builtin: redact } }]");
  expect(problem).toMatch(
    /^hooks\.yaml:1:20: `redact` has nothing to say at `session_end`; it is for /,
  );
});
