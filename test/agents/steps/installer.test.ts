import { describe, expect, test } from "vitest";
import { findAgent } from "../../../src/agents/roster.ts";
import { INSTALL_SCOPES } from "../../../src/agents/steps/installer.ts";
import { ENTRY_INSTALLERS, openBench, requestFor } from "../../hooks/install/installing.ts";
import { installerOf } from "../../support/agents.ts";

describe.each(ENTRY_INSTALLERS)("the entries of $agent", (installer) => {
  test("cover every step that its codec knows, under the same names", () => {
    const events = installer.events.map(({ event }) => event);
    for (const [step, ability] of Object.entries(installerOf(installer.agent).abilities.steps)) {
      expect(events, step).toContain(ability.event);
      expect(installer.events.find(({ event }) => event === ability.event)?.step).toBe(step);
    }
    expect(new Set(events).size).toBe(events.length);
  });

  test.each(INSTALL_SCOPES)("for a %s stand in a file that its settings name", (scope) => {
    const place = { env: {}, home: "/home/a", root: "/project" };
    const files = findAgent(installer.agent)?.settings?.(place)[scope] ?? [];
    const file = installer.configFile(scope, place);
    expect(files.filter((each) => file === each || file.startsWith(`${each}/`))).toHaveLength(1);
  });

  test("have no matcher: what is filtered at install goes stale", () => {
    for (const event of installer.events)
      expect(installer.makeEntry(event, requestFor(installer.agent))).not.toHaveProperty("matcher");
  });
});

const handlerOf = (agent: string, event: string, limitMs: number): unknown => {
  const installer = installerOf(agent);
  if (installer.kind !== "entries") throw new Error("no entries");
  const found = installer.events.find((known) => known.event === event);
  if (found === undefined) throw new Error(`no ${event}`);
  return installer.makeEntry(found, requestFor(agent, { limitMs }));
};

// biome-ignore format: a table, one line each
test.each([
  ["claude-code", "PreToolUse", 60_000, { hooks: [{ type: "command", command: "adj hook claude-code", timeout: 60 }] }],
  ["codex", "PreToolUse", 60_000, { hooks: [{ type: "command", command: "adj hook codex", timeout: 60 }] }],
  ["codex", "SessionEnd", 60_000, { hooks: [{ type: "command", command: "adj hook codex", timeout: 3 }] }],
  ["gemini", "BeforeTool", 60_000, { hooks: [{ type: "command", command: "adj hook gemini", name: "adjutant", timeout: 60_000 }] }],
  ["qwen", "PreToolUse", 60_000, { hooks: [{ type: "command", command: "adj hook qwen", name: "adjutant", timeout: 60_000 }] }],
  ["qwen", "PreToolUse", 500, { hooks: [{ type: "command", command: "adj hook qwen", name: "adjutant", timeout: 1_000 }] }],
  ["copilot", "preToolUse", 2_500, { type: "command", bash: "adj hook copilot", timeoutSec: 3 }],
])("%s has its limit at %s in its own unit", (agent, event, limitMs, entry) => {
  expect(handlerOf(agent, event, limitMs)).toEqual(entry);
});

test("the end of a turn may wait for tests that take minutes, nothing else may", async () => {
  const bench = openBench(installerOf("claude-code"));
  await bench.install();
  const { hooks } = JSON.parse(bench.text());
  expect(hooks.Stop[0].hooks[0].timeout).toBe(600);
  expect(hooks.SubagentStop[0].hooks[0].timeout).toBe(600);
  expect(hooks.PreToolUse[0].hooks[0].timeout).toBe(30);
});

describe("the plugin of opencode", () => {
  const opencode = installerOf("opencode");

  test("is a file of ours that comes and goes", async () => {
    const bench = openBench(opencode);
    expect((await bench.install()).did).toBe("created");
    expect(bench.text()).toContain('"adj"');
    expect((await bench.install()).did).toBe("nothing");
    expect((await bench.uninstall()).did).toBe("removed");
    expect(bench.read()).toBeNull();
  });

  test("is replaced where an older one lies", async () => {
    const bench = openBench(opencode);
    await bench.install();
    const now = bench.text();
    bench.write(now.replace("60000", "5"));
    expect((await bench.install()).did).toBe("changed");
    expect(bench.text()).toBe(now);
  });

  test("never replaces or removes somebody else's file", async () => {
    const bench = openBench(opencode);
    bench.write("export const Mine = async () => ({});\n");
    await expect(bench.install()).rejects.toThrow("somebody else's");
    expect((await bench.uninstall()).did).toBe("nothing");
    expect(bench.text()).toContain("Mine");
  });

  test("is left when it was changed by hand", async () => {
    const bench = openBench(opencode);
    await bench.install();
    bench.write(`${bench.text()}// mine\n`);
    await expect(bench.uninstall()).rejects.toThrow("changed by hand");
    expect(bench.text()).toContain("// mine");
  });
});
