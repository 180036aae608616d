import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { tourSteps } from "../../src/setup/tour/tour.ts";
import { longTest } from "../support/tier.ts";
import { makeHome } from "./adj.ts";

test("the tour ends by itself, shows every step, and leaves nothing but its own record", async () => {
  const home = makeHome();
  home.write({ "temporary/.keep": "" });
  const env = { ...home.env, TMPDIR: `${home.folder}/temporary` };
  const { exitCode, stdout, stderr } = await home.adjIn({ env }, "tour");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const shown = tourSteps("HASH").map(({ text }) => stdout.indexOf(text));
  expect(shown).toEqual(shown.toSorted((one, other) => one - other));
  expect(shown).not.toContain(-1);
  expect(stdout).toContain("  HELLO ADA!\n");
  expect(stdout).toContain("  adj: unknown flag `--lout` of `greet`; did you mean `--loud`?");
  expect(stdout).toMatch(/\n {2}senior +100 % \(6\/6\)/);
  expect(stdout).toMatch(/\n {2}junior +33 % \(2\/6\)/);
  expect(stdout).not.toContain("undefined");
  expect(readdirSync(`${home.folder}/temporary`)).toEqual([".keep"]);
  expect(readdirSync(home.project)).toEqual([]);
  // The index is what any start writes down about the user's own files, the mark of the machine what asks who is above it.
  expect(
    readdirSync(home.stateDir).filter((name) => !/^(audit\.db|index|machine$)/.test(name)),
  ).toEqual([]);
  expect((await home.events()).map(({ type, data }) => [type, data.name])).toEqual([
    ["CommandDispatched", "tour"],
    ["CommandResulted", "tour"],
  ]);
});

longTest(
  "guards that a person has in force neither judge the tour nor are touched by it",
  async () => {
    const home = makeHome();
    const guard = "hooks:\n  - { name: no, on: before_tool, run: { builtin: deny } }\n";
    home.write({ "config/hooks.yaml": guard });
    const tried = ["hooks", "test", "before_tool", "--command", "ls"];
    expect((await home.adj(...tried)).exitCode).toBe(126);
    expect((await home.adj("tour")).exitCode).toBe(0);
    expect((await home.adj(...tried)).exitCode).toBe(126);
  },
);

test("a tour that is interrupted leaves nothing either", async () => {
  const home = makeHome();
  const { child, printed, ended } = home.start("tour");
  await printed("HELLO ADA!");
  child.kill("SIGINT");
  expect((await ended).exitCode).toBe(130);
  expect(readdirSync(home.folder).filter((name) => name.includes("tour"))).toEqual([]);
});

test("below an agent the tour begins nothing and says whose it is", async () => {
  const home = makeHome();
  const { exitCode, stdout, stderr } = await home.adjIn(
    { env: { ...home.env, CLAUDECODE: "1" } },
    "tour",
  );
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 126,
    stdout: "",
    stderr:
      "adj: `tour` needs a person's consent and there is nobody to ask; run it yourself, outside the agent\n",
  });
});
