import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeAgentEnvironment, findAgentOfProgram, SIM_AGENTS } from "../../src/sim/agents.ts";
import { makeIsolatedHome } from "../../src/sim/run-sim.ts";

const URL_OF_SIM = "http://127.0.0.1:4321";

test.each([
  ["claude", "claude-code"],
  ["/opt/tools/claude.exe", "claude-code"],
  ["./node_modules/.bin/codex", "codex"],
  ["gemini", "gemini"],
  ["/x/gemini.js", "gemini"],
  ["opencode", "opencode"],
  ["copilot", "copilot"],
  ["qwen", "qwen"],
  ["node", null],
  ["claudette", null],
])("the program %s is %s", (program, agent) => {
  expect(findAgentOfProgram(program)).toBe(agent);
});

describe.each(SIM_AGENTS)("%s", (agent) => {
  test("is pointed at the server and at no other address", async () => {
    const described = JSON.stringify(await describeAgentEnvironment(agent, URL_OF_SIM));
    const addresses = described.match(/https?:\/\/[^"/\\]*/g) ?? [];
    expect(addresses.length).toBeGreaterThan(0);
    expect(new Set(addresses)).toEqual(new Set([URL_OF_SIM]));
  });

  test("finds its files in a fresh home, and nothing of the caller's own", async () => {
    const source = {
      PATH: "/usr/bin",
      LC_ALL: "C.UTF-8",
      ADJ_STATE_DIR: "/state",
      HOME: "/home/dev",
      TMPDIR: "/somewhere",
      XDG_CONFIG_HOME: "/home/dev/.config",
      HTTPS_PROXY: "http://proxy.example",
      AWS_SECRET_ACCESS_KEY: "secret",
      NODE_OPTIONS: "--require ./spy.js",
      UNSET: undefined,
    };
    const isolated = await makeIsolatedHome({ agent, url: URL_OF_SIM, source });
    onTestFinished(() => isolated.remove());
    expect(isolated.env).toMatchObject({
      PATH: "/usr/bin",
      LC_ALL: "C.UTF-8",
      ADJ_STATE_DIR: "/state",
      HOME: isolated.home,
    });
    expect(JSON.stringify(isolated.env)).not.toMatch(/home\/dev|proxy|secret|spy|UNSET/);
    for (const [path, content] of Object.entries(
      (await describeAgentEnvironment(agent, URL_OF_SIM)).files,
    )) {
      expect(readFileSync(join(isolated.home, path), "utf8")).toBe(content);
      expect(statSync(join(isolated.home, path)).mode & 0o777).toBe(0o600);
    }
  });
});

test("the home does not lie in the temporary folder, and both are gone in the end", async () => {
  const isolated = await makeIsolatedHome({ agent: "codex", url: URL_OF_SIM, source: {} });
  const temporary = isolated.env.TMPDIR ?? "";
  expect(relative(temporary, isolated.home)).toMatch(/^\.\./);
  await isolated.remove();
  expect(existsSync(dirname(isolated.home))).toBe(false);
});

test("an unknown program gets what every agent gets", async () => {
  const all = await describeAgentEnvironment(null, URL_OF_SIM);
  for (const agent of SIM_AGENTS) {
    const one = await describeAgentEnvironment(agent, URL_OF_SIM);
    expect(all.env).toMatchObject(one.env);
    expect(all.files).toMatchObject(one.files);
  }
});
