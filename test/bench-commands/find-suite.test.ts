import { expect, test } from "vitest";
import { makeHome } from "../program/adj.ts";

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
