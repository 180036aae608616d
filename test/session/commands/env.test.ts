import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AGENTS } from "../../../src/agents/roster.ts";
import { programVariable } from "../../../src/agents/run/availability.ts";
import { makeHome } from "../../program/adj.ts";
import { linesOf, openTestProgram } from "../../support/program-of-commands.ts";

test("names what the agent would be given, its own variables too, and no value", async () => {
  const opened = openTestProgram();
  await opened.run(["provider", "claude-code"]);
  await opened.run(["params", "append_system_prompt=env:MY_WORDS", "max_tokens=100"]);
  const env = {
    PATH: "/secret/path",
    HOME: "/secret/home",
    ANTHROPIC_API_KEY: "secret",
    MY_WORDS: "secret",
    PRIVATE_THING: "secret",
  };
  const outcome = await opened.run(["env"], { env });
  const lines = linesOf(outcome);
  expect(lines).toEqual(expect.arrayContaining(["PATH", "HOME", "ANTHROPIC_API_KEY"]));
  expect(lines).toContain("CLAUDE_CODE_MAX_OUTPUT_TOKENS");
  expect(lines).toContain("read for the param `append_system_prompt`: MY_WORDS");
  expect(lines).not.toContain("PRIVATE_THING");
  expect(JSON.stringify(outcome)).not.toContain("secret");
  expect(outcome.result.metadata).toMatchObject({
    agent: "claude-code",
    params: [{ name: "MY_WORDS", path: "append_system_prompt" }],
  });
});

test("says so where no agent is chosen and none is here", async () => {
  const outcome = await openTestProgram().run(["env"], { env: { PATH: "/nowhere" } });
  expect(outcome.result.metadata).toEqual({ agent: null, names: [], params: [] });
});

test.each(AGENTS.filter(({ hooks }) => hooks !== undefined).map(({ name }) => [name]))(
  "names for %s exactly what a dry run shows",
  async (agent) => {
    const home = makeHome();
    home.write({
      "config/commands/x.md": "---\ndescription: For a test\n---\nSay it.\n",
      "project/agent": "#!/bin/sh\necho 9.9.9\n",
    });
    const program = join(home.project, "agent");
    chmodSync(program, 0o755);
    const env = {
      ...home.env,
      [programVariable(agent)]: program,
      ADJ_AGENT: agent,
      ANTHROPIC_API_KEY: "a",
      OPENAI_API_KEY: "b",
      GITHUB_TOKEN: "c",
      LANG: "C",
      PRIVATE_THING: "d",
    };
    const dryRun = JSON.parse((await home.adjIn({ env }, "x", "--dry-run", "--json")).stdout);
    const named = JSON.parse((await home.adjIn({ env }, "env", "--json")).stdout);
    expect(named.result.metadata.names).toEqual(dryRun.result.metadata.env);
    expect(named.result.metadata.names.length).toBeGreaterThan(3);
  },
);
