import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHome } from "../../program/adj.ts";

const SUITE = `name: greet
agents: [{ id: sh, agent: command, config: { argv: [sh, -c, "echo hello"] } }]
cases: [{ id: one, prompt: go, evaluators: [{ contains: hello }] }]
`;

test("a suite of the project goes by its name, once somebody has looked at it", async () => {
  const home = makeHome();
  home.write({ "project/.adjutant/suites/greet.yaml": SUITE });
  for (const word of ["greet", ".adjutant/suites/greet.yaml"]) {
    const refused = await home.adj("bench", word);
    expect(refused.exitCode).toBe(126);
    expect(refused.stderr).toContain("is not trusted; look at it, then run `adj trust`");
  }
  await home.trust();
  expect(await home.adj("bench", "greet")).toMatchObject({ exitCode: 0 });
  home.write({ "project/.adjutant/suites/greet.yaml": SUITE.replace("echo hello", "echo no") });
  const changed = await home.adj("bench", "greet");
  expect(changed.stderr).toContain("it changed since you trusted it");
});

const RUNNING = `name: running
agents: [{ id: sh, agent: command, config: { argv: [sh, -c, "echo hello"] } }]
cases:
  - id: one
    prompt: look at README.md
    workspace: { template: ../../fixtures/app }
    setup: [sh ../../tools/named.sh || true]
    evaluators: [{ contains: hello }]
`;

test("a suite of the project is refused once a program or a template that it names has changed", async () => {
  const home = makeHome();
  const files = {
    "project/tools/named.sh": "true\n",
    "project/fixtures/app/check.sh": "true\n",
  };
  home.write({
    ...files,
    "project/.adjutant/suites/running.yaml": RUNNING,
    "project/README.md": "one\n",
  });
  await home.trust();
  for (const path of Object.keys(files)) {
    home.write({ [path]: "echo changed\n" });
    const refused = await home.adj("bench", "validate", "running");
    expect(refused.stderr, path).toContain("it changed since you trusted it");
    home.write(files);
  }
  const whole = RUNNING.replace("../../fixtures/app", "../..");
  home.write({ "project/.adjutant/suites/whole.yaml": whole });
  expect((await home.adj("trust", "--diff")).stdout).toContain(
    ".adjutant/suites/whole.yaml: whatever the project holds, as a trial's workspace",
  );
  rmSync(join(home.project, ".adjutant/suites/whole.yaml"));
  // What a prompt speaks of is not run.
  home.write({ "project/README.md": "two\n" });
  expect(await home.adj("bench", "validate", "running")).toMatchObject({ exitCode: 0 });
});

test("a suite of one's own goes by its name anywhere, after the project's and what lies here", async () => {
  const home = makeHome();
  home.write({ "config/suites/greet/suite.yaml": SUITE });
  const found = await home.adj("bench", "validate", "greet");
  expect(found).toMatchObject({
    exitCode: 0,
    stdout: "greet is valid: 1 case, 1 agent, 1 trial\n",
  });
  home.write({ "project/greet": SUITE.replace("name: greet", "name: here") });
  expect((await home.adj("bench", "validate", "greet")).stdout).toMatch(/^here is valid: /);
});

test("a word that means no suite is said as it was typed", async () => {
  const { exitCode, stderr } = await makeHome().adj("bench", "gret");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("gret: the suite cannot be read: it does not exist");
});
