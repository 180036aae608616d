import { describe, expect, test } from "vitest";
import {
  findParamProblem,
  listParamSettings,
  listParams,
  resolveParams,
} from "../../../src/agents/choice/params.ts";
import { PORTABLE_SETTINGS } from "../../../src/agents/run/capabilities.ts";
import { ADAPTERS, adapterOf } from "../../support/agents.ts";

/** One value for each setting that a param can be, and how it shows in a built command. */
const VALUES: Readonly<Record<string, readonly [string | number | boolean, RegExp]>> = {
  agent_name: ["reviewer", /reviewer/],
  model: ["x", /model-of-this-test/],
  system_prompt: ["be a sailor", /be a sailor/],
  append_system_prompt: ["be brief", /be brief/],
  allowed_tools: ['["Read","Grep"]', /Read[\s\S]*Grep/],
  disallowed_tools: ["WebFetch", /WebFetch/],
  max_tokens: [4321, /4321/],
  max_turns: ["7", /\b7\b/],
  mcp_config: ['{"mcpServers":{"here":{}}}', /mcpServers/],
  settings: ['{"env":{"A":"b"}}', /"env"/],
  add_dirs: ["/else", /\/else/],
  effort: ["high", /high/],
  output_schema: ['{"type":"object"}', /"type":"object"/],
  argv: ['["cat","--squeeze"]', /--squeeze/],
  cassette: ["mine.yaml", /mine\.yaml/],
};

const MODELS: Readonly<Record<string, string>> = {
  "claude-code": "claude-model-of-this-test",
  opencode: "some/model-of-this-test",
};

const CASES = ADAPTERS.flatMap((adapter) =>
  listParamSettings(adapter, null).flatMap((place) => {
    const [value, seen] = VALUES[place] ?? [];
    return value === undefined || seen === undefined ? [] : [{ adapter, place, value, seen }];
  }),
);

describe("a param reaches the command that is built for", () => {
  test.each(CASES.map((one) => [`${one.adapter.name}: ${one.place}`, one] as const))(
    "%s",
    (_, { adapter, place, value, seen }) => {
      const own = place === "model" ? (MODELS[adapter.name] ?? "model-of-this-test") : value;
      const argv = ["acp", "command"].includes(adapter.name) ? { argv: '["cat"]' } : {};
      const { settings, leftOut } = resolveParams(adapter, null, { ...argv, [place]: own });
      expect(leftOut).toEqual([]);
      const place0 = { agentVersion: null, isRoot: false, env: {} };
      const check = adapter.checkConfig({ ...settings, prompt: "do it" }, place0);
      if (check.kind === "invalid") throw new Error(JSON.stringify(check.problems));
      const command = adapter.buildCommand({
        workspaceDir: "/workspace",
        config: check.config,
        timeout: 0,
        env: {},
        runId: "run",
        logDir: "/log",
      });
      const written = JSON.stringify([command.args, command.env, command.files]);
      // What an agent is told by its protocol is in its configuration alone.
      const { settings: translations } = adapter.capabilities(null);
      const isOwn = Object.entries(translations).some(
        ([name, to]) => name === place && to.to === "own",
      );
      expect(isOwn ? JSON.stringify(check.config) : written.replaceAll('\\"', '"')).toMatch(seen);
    },
  );

  test("every setting that an agent has a place for, but those with a command of their own", () => {
    const places = new Set(ADAPTERS.flatMap((adapter) => listParamSettings(adapter, null)));
    const untried = [...places].filter((place) => VALUES[place] === undefined);
    expect(untried.sort()).toEqual(["offer_files", "pace"]);
    expect(places.has("permission_mode") || places.has("resume")).toBe(false);
  });
});

describe("a path without a place", () => {
  const claude = adapterOf("claude-code");

  test("is left out and named, with the nearest", () => {
    const params = { "max-turns": 3, max_tunrs: 3, temperature: 0.5, "model.x": 1 };
    const { settings, leftOut } = resolveParams(claude, null, params);
    expect(settings).toEqual({ max_turns: 3 });
    expect(leftOut).toEqual([
      {
        path: "max_tunrs",
        problem: "`claude-code` has no place for `max_tunrs`; did you mean `max_turns`?",
      },
      { path: "temperature", problem: "`claude-code` has no place for `temperature`" },
      {
        path: "model.x",
        problem: "`claude-code` has no place for `model.x`; did you mean `model`?",
      },
    ]);
  });

  test("of one agent may have one in another", () => {
    const params = { max_turns: 3, effort: "high" };
    expect(resolveParams(adapterOf("codex"), null, params).leftOut).toHaveLength(1);
    expect(resolveParams(adapterOf("qwen"), null, params).leftOut).toHaveLength(1);
    expect(resolveParams(claude, null, params).leftOut).toEqual([]);
  });

  test("a temperature has none anywhere", () => {
    for (const adapter of ADAPTERS)
      expect(
        findParamProblem("temperature", listParamSettings(adapter, null), null),
      ).not.toBeNull();
    expect(PORTABLE_SETTINGS).toContain("temperature");
  });
});

test("a value that the agent's own rule refuses is left out with the rule's words", () => {
  const { settings, leftOut } = resolveParams(adapterOf("claude-code"), null, {
    effort: "enormous",
    max_turns: 0,
  });
  expect(settings).toEqual({});
  expect(leftOut.map(({ problem }) => problem)).toEqual([
    "`effort` must be one of `low`, `medium`, `high`, `xhigh`, `max`",
    "`max_turns` must be a whole number from 1 to 10,000",
  ]);
});

test("paths below a map make one map", () => {
  const params = { "settings.env.A": "1", "settings.env.B": "env:B", "settings.x": true };
  const resolved = resolveParams(adapterOf("claude-code"), null, params, { B: "hidden" });
  expect(resolved.settings).toEqual({ settings: { env: { A: "1", B: "hidden" }, x: true } });
  expect(resolved.secrets).toEqual(["hidden"]);
});

test("a variable that is not set leaves its param out", () => {
  const params = { append_system_prompt: "env:MISSING" };
  expect(resolveParams(adapterOf("codex"), null, params, {}).leftOut).toEqual([
    { path: "append_system_prompt", problem: "`MISSING` is not set" },
  ]);
});

test("a flag counts over the session, the session over the settings, whatever the spelling", () => {
  const flags = { c: 3 };
  const session = { b: 2, c: 2, "max-turns": 2 };
  const settings = { a: 1, b: 1, c: 1, max_turns: 1 };
  expect(listParams({ flags, session, settings })).toEqual([
    { path: "a", value: 1, source: "settings" },
    { path: "b", value: 2, source: "session" },
    { path: "c", value: 3, source: "flag" },
    { path: "max-turns", value: 2, source: "session" },
  ]);
});
