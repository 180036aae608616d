// A `config.yaml` that cannot be read: whatever goes by settings says so in one line and exits with 2, whatever
// does not, or is there to mend it, works.
import { expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { makeHome } from "./adj.ts";

const SAYS = ":1:1: unknown key `modle`; did you mean `model` or `mode`?\n";

const GO_BY_SETTINGS = [
  ["send", "hi"],
  ["agent", "run", "codex", "hi"],
  ["config", "get", "model"],
  ["agent", "list"],
  ["workflow", "list"],
  ["mode"],
  ["bench", "../suite.yaml"],
] as const;

test.each(sampled(GO_BY_SETTINGS.map((words) => ({ words }))))(
  "$words exits with 2 and one line",
  async ({ words }) => {
    const home = makeHome();
    home.write({
      "config/config.yaml": "modle: opus\n",
      "suite.yaml":
        "name: s\nagents: [{ agent: codex }]\ncases: [{ id: a, prompt: hi, evaluators: [{ run: 'true' }] }]\n",
    });
    const { exitCode, stdout, stderr } = await home.adj(...words);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: `adj: ${home.configDir}/config.yaml${SAYS}`,
    });
  },
);

test("the doctor looks at everything all the same, and counts it", async () => {
  const home = makeHome();
  home.write({ "config/config.yaml": "modle: opus\n" });
  const { exitCode, stdout } = await home.adj("doctor");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("unknown key `modle`");
  expect(stdout).toContain("1 thing needs attention");
});

test("a program is told the place too", async () => {
  const home = makeHome();
  home.write({ "config/config.yaml": "modle: opus\n" });
  const { exitCode, stdout } = await home.adj("--json", "mode");
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "FileInvalid" } });
});
