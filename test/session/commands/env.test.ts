import { expect, test } from "vitest";
import { linesOf, textOf } from "../../support/program-of-commands.ts";
import { openDeskWith } from "./known-agents.ts";

test("env names what a child would be given, and no value", async () => {
  const desk = openDeskWith([]);
  await desk.run(["params", "api.key=env:MY_API_KEY"]);
  const env = { PATH: "/secret/path", HOME: "/secret/home", PRIVATE_THING: "secret" };
  const outcome = await desk.run(["env"], { env });
  const lines = linesOf(outcome);
  expect(lines).toContain("PATH");
  expect(lines).toContain("HOME");
  expect(lines).toContain("MY_API_KEY (for api.key)");
  expect(lines).not.toContain("PRIVATE_THING");
  expect(JSON.stringify(outcome)).not.toContain("secret");
  expect(outcome.result.metadata).toMatchObject({
    params: [{ name: "MY_API_KEY", path: "api.key" }],
  });
});

const AGENTS = [
  {
    name: "codex",
    capabilities: ["hooks"],
    models: null,
    tools: [
      { name: "shell", kind: "execute" },
      { name: "apply_patch", kind: "edit" },
    ],
  },
];

test("tools lists those of the current agent with how a call is approved", async () => {
  const desk = openDeskWith(AGENTS);
  expect((await desk.run(["tools"])).result.metadata).toMatchObject({ agent: null, tools: null });
  await desk.run(["provider", "codex"]);
  await desk.run(["config", "set", "mode", "allowlist"]);
  const outcome = await desk.run(["tools"]);
  expect(linesOf(outcome)).toEqual([
    "TOOL         KIND     APPROVAL",
    "shell        execute  allowlist",
    "apply_patch  edit     allowlist",
  ]);
});

test("tools says so where nothing is known of the agent", async () => {
  const desk = openDeskWith([]);
  await desk.run(["provider", "mine"]);
  const outcome = await desk.run(["tools"]);
  expect(textOf(outcome)).toBe("nothing is known of the tools of mine");
  expect(outcome.result.metadata).toEqual({ agent: "mine", approval: "ask", tools: null });
});
