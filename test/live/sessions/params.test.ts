// Every param that an agent has a place for reaches a turn of the process that stays: its command line or what it asks
// the model. What a way takes no account of is said in a line.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { listParamSettings } from "../../../src/agents/choice/params.ts";
import { adapterOf } from "../../support/agents.ts";
import { findLabCli, LAB_AGENTS, type LabAgent, missingMessage } from "../lab.ts";
import { openLiveSession } from "./live-session.ts";

interface ParamFacts {
  /** By place: what is set, and what is then seen. */
  readonly seen: Readonly<Record<string, readonly [value: string, seen: RegExp]>>;
  /** What is not taken account of, and said so. */
  readonly leftOut?: readonly string[];
  /** With what no turn begins. */
  readonly refused?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly model?: string;
}

const SERVERS = '{"mcpServers":{"here-5":{"command":"true"}}}';
const SCHEMA =
  '{"type":"object","properties":{"word_5":{"type":"string"}},"required":["word_5"],"additionalProperties":false}';
const SYSTEM = ["You are SYSTEM-5", /You are SYSTEM-5/] as const;
const APPENDED = ["Be brief APPENDED-5", /Be brief APPENDED-5/] as const;

const FACTS: Readonly<Record<LabAgent, ParamFacts>> = {
  "claude-code": {
    seen: {
      agent_name: ["reviewer-5", /--agent reviewer-5/],
      system_prompt: SYSTEM,
      append_system_prompt: APPENDED,
      allowed_tools: ["WebSearch", /--allowedTools[= ]WebSearch/],
      disallowed_tools: ["WebFetch", /--disallowedTools[= ]WebFetch/],
      max_tokens: ["4321", /"max_tokens":4321/],
      max_turns: ["7", /--max-turns 7/],
      mcp_config: [SERVERS, /--mcp-config/],
      add_dirs: ["/usr", /--add-dir[= ]\/usr/],
      effort: ["low", /--effort low/],
      output_schema: [SCHEMA, /word_5/],
    },
    refused: ["settings"],
    files: {
      ".claude/agents/reviewer-5.md": "---\nname: reviewer-5\ndescription: reviews\n---\nReview.\n",
    },
  },
  codex: {
    seen: {
      append_system_prompt: APPENDED,
      system_prompt: SYSTEM,
      add_dirs: ["/usr", /writable_roots=\["\/usr"\]/],
      effort: ["low", /"effort":"low"/],
      output_schema: [SCHEMA, /word_5/],
    },
  },
  gemini: {
    seen: { system_prompt: SYSTEM, add_dirs: ["/usr", /--include-directories[= ]\/usr/] },
    leftOut: ["allowed_tools"],
  },
  opencode: {
    seen: {
      agent_name: ["reviewer-5", /REVIEWING-5/],
      max_tokens: ["777", /"max_tokens":777/],
      effort: ["high", /"reasoning_effort":"high"/],
    },
    model: "sim/other-model",
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        agent: { "reviewer-5": { mode: "primary", prompt: "You are REVIEWING-5." } },
        provider: {
          sim: {
            models: {
              "other-model": {
                ...{ name: "Other model", tool_call: true, reasoning: true },
                variants: { high: { reasoningEffort: "high" } },
              },
            },
          },
        },
      }),
    },
  },
  copilot: {
    seen: {
      agent_name: ["reviewer-5", /--agent[= ]reviewer-5/],
      disallowed_tools: ["write", /--deny-tool[= ]write/],
      mcp_config: [SERVERS, /--additional-mcp-config/],
      add_dirs: ["/usr", /--add-dir[= ]\/usr/],
      effort: ["high", /--reasoning-effort[= ]high/],
    },
    leftOut: ["allowed_tools"],
    files: {
      ".github/agents/reviewer-5.agent.md":
        "---\nname: reviewer-5\ndescription: reviews\n---\nReview.\n",
    },
  },
  qwen: {
    seen: {
      system_prompt: SYSTEM,
      append_system_prompt: APPENDED,
      allowed_tools: ["web_fetch", /--allowed-tools[= ]web_fetch/],
      disallowed_tools: ["save_memory", /--exclude-tools[= ]save_memory/],
      max_turns: ["40", /--max-session-turns[= ]40/],
      mcp_config: [SERVERS, /--mcp-config/],
      add_dirs: ["/usr", /--include-directories[= ]\/usr/],
      output_schema: [SCHEMA, /word_5/],
    },
  },
};

const MINUTES = 180_000;
const SCENARIO = "turns: [{ text: One. }, { text: Two. }, { text: Three. }]";

describe.each(LAB_AGENTS)("a param of %s", (agent) => {
  const cli = findLabCli(agent);
  if (cli === null) return test.skip(missingMessage(agent));
  const { seen, leftOut = [], refused = [], files = {}, env = {}, model } = FACTS[agent];

  test("has a line here for each place that it has", () => {
    const places = listParamSettings(adapterOf(agent), null).filter((place) => place !== "model");
    expect([...Object.keys(seen), ...leftOut, ...refused].sort()).toEqual(places.sort());
  });

  // Some exclude each other, so each is set by itself.
  test.each(Object.entries(seen))(
    "%s reaches a turn",
    { timeout: MINUTES },
    async (place, facts) => {
      const [value, expected] = facts;
      const session = await openLiveSession({
        clis: [cli],
        via: "process",
        scenario: SCENARIO,
        env,
      });
      writeAll(session.workspace, files);
      if (model !== undefined) await session.adj("model", model);
      expect(await session.adj("params", `${place}=${value}`)).toMatchObject({ exitCode: 0 });
      const printed = await session.send("Do it.");
      const asked = session.requests().map(({ body }) => body);
      expect(`${session.calls()}\n${asked.join("\n")}`, session.account(printed)).toMatch(expected);
      expect(printed.stderr).not.toContain("left out");
    },
  );

  test.each(leftOut)("%s is left out, which is said", { timeout: MINUTES }, async (place) => {
    const session = await openLiveSession({ clis: [cli], via: "process", scenario: SCENARIO, env });
    expect(await session.adj("params", `${place}=shell`)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`\`${place}\` counts in runs of ${agent}, not in turns`),
    });
    const printed = await session.send("Do it.");
    expect(printed.stdout, session.account(printed)).toContain("One.");
    expect(printed.stderr).toContain(`left out: \`${place}\` does not count in a turn`);
  });
});

describe("the settings of claude-code", () => {
  const cli = findLabCli("claude-code");
  if (cli === null) return test.skip(missingMessage("claude-code"));
  test("are for runs: a turn is refused, which is said when they are set", async () => {
    const session = await openLiveSession({ clis: [cli], via: "process", scenario: SCENARIO });
    const set = await session.adj("params", 'settings={"env":{"A":"b"}}');
    expect(set.stdout).toContain("with `settings` only runs of claude-code start, no turns");
    const printed = await session.send("Do it.");
    expect(printed.exitCode).toBe(2);
    expect(printed.stderr).toContain("`settings` is taken by the hook");
    await session.adj("params", "--unset", "settings");
    expect((await session.send("Do it.")).stdout).toContain("One.");
  });
});

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
