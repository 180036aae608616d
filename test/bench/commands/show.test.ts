import { expect, test } from "vitest";
import { makeBenchHome } from "../run/bench-home.ts";

const makeHome = () =>
  makeBenchHome(
    {
      greet: {
        agent: "test -e tried && echo hello > greeting.txt\ntouch tried\necho 'I tried'\n",
        files: { "greeting.txt": "nothing\n" },
        evaluators: [{ run: "cat greeting.txt; grep -q hello greeting.txt" }, { diff: {} }],
      },
    },
    { repeat: 2 },
  );

test("a trial is shown with its grades, what was kept, and what the agent did", async () => {
  const home = makeHome();
  await home.bench("suite.yaml");
  const { stdout, exitCode } = await home.adj("bench", "show", "greet/shell");
  expect(exitCode).toBe(0);
  const text = stdout.replaceAll(/\d+(\.\d+)? m?s\b/g, "TIME").replaceAll(/ +/g, " ");
  expect(text).toMatch(
    /^greet\/shell\/1 failed: `run`: exit 1\nscore 0.50, TIME, run [\da-f]{8}\n/,
  );
  expect(text).toContain("run failed 0.00 1 TIME exit 1");
  expect(text).toContain("--- run/output.txt ---\nnothing\n");
  expect(text).toContain("--- transcript ---");
  expect(text).toContain("I tried");
  const whole = JSON.parse((await home.adj("--json", "bench", "show", "greet/shell/2")).stdout);
  expect(whole.result.metadata).toMatchObject({
    result: { key: "greet/shell/2", ending: "failed" },
    contents: { "run/output.txt": "nothing\n" },
  });
});

test("a trial that is not there is said with one that is", async () => {
  const home = makeHome();
  await home.bench("suite.yaml");
  const { stderr, exitCode } = await home.adj("bench", "show", "great/shell/1");
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/has no trial `great\/shell\/1`; did you mean `greet\/shell\/1`\?\n$/);
});
