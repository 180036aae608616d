// The six real CLIs with our MCP server: a tool that reads, one that a person refuses and then allows, one that takes longer
// than any of them is asked to wait.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HAS_TMUX } from "../support/tmux.ts";
import { driveMcp } from "./drive-mcp.ts";
import { findLabCli, type LabAgent, missingMessage } from "./lab.ts";

interface Client {
  readonly agent: LabAgent;
  /** What the model calls a tool. */
  readonly nameOf: (tool: string) => string;
  readonly extra: readonly string[];
}

// biome-ignore format: a table, one agent a line
const CLIENTS: readonly Client[] = [
  { agent: "claude-code", nameOf: (tool) => `mcp__adjutant__${tool}`, extra: ["mcp__adjutant"] },
  { agent: "codex", nameOf: (tool) => `mcp__adjutant/${tool}`, extra: [] },
  { agent: "gemini", nameOf: (tool) => `mcp_adjutant_${tool}`, extra: [] },
  { agent: "qwen", nameOf: (tool) => `mcp__adjutant__${tool}`, extra: [] },
  { agent: "opencode", nameOf: (tool) => `adjutant_${tool}`, extra: [] },
  { agent: "copilot", nameOf: (tool) => `adjutant-${tool}`, extra: [] },
];

/** Two minutes by hand: `ADJ_TEST_SLOW_MS=100000`. Each wait is at most 45 s. */
const SLOW_MS = Number(process.env.ADJ_TEST_SLOW_MS ?? 5_000);
const WAITS = Math.ceil(SLOW_MS / 45_000);

const scenarioFor = ({ nameOf }: Client): string => `
turns:
  - tool_calls: [{ name: ${nameOf("hello")}, arguments: {} }]
  - tool_calls: [{ name: ${nameOf("wipe")}, arguments: {} }]
  - tool_calls: [{ name: ${nameOf("wipe")}, arguments: {} }]
  - tool_calls: [{ name: ${nameOf("slow")}, arguments: {} }]
${`  - tool_calls: [{ name: ${nameOf("adj_wait")}, arguments: {} }]\n`.repeat(WAITS)}  - text: Done.
`;

const helloScenario = ({ nameOf }: Client): string =>
  `turns: [{ tool_calls: [{ name: ${nameOf("hello")}, arguments: {} }] }, { text: Done. }]`;

function clientOf(agent: LabAgent): Client {
  const client = CLIENTS.find((one) => one.agent === agent);
  if (client === undefined) throw new Error(`${agent} is no client`);
  return client;
}

describe.each(CLIENTS)("$agent", (client) => {
  const cli = findLabCli(client.agent);
  if (cli === null) {
    test.skip(missingMessage(client.agent));
    return;
  }
  test(
    "calls a tool, is refused one until a person says yes in the console, and waits for a slow one",
    async () => {
      const { exitCode, told, workspace, account } = await driveMcp({
        cli,
        extra: client.extra,
        scenario: scenarioFor(client),
        answers: ["no", HAS_TMUX ? "key y" : "yes"],
        opensAt: 5,
        slowMs: SLOW_MS,
      });
      expect(exitCode, account).toBe(0);
      expect(told[1], account).toContain("hello-from-adj");
      expect(told[2], account).toMatch(/declined|refused|consent|said no/i);
      expect(told[3], account).toContain("wiped-it");
      expect(told[4], account).toContain("adj_wait");
      expect(told[4 + WAITS], account).toContain("slow-is-done");
      expect(readFileSync(join(workspace, "wiped"), "utf8")).toBe("x\n");
    },
    120_000 + SLOW_MS,
  );

  test("calls a tool of a server that stands in the project's own file", async () => {
    const { exitCode, told, account } = await driveMcp({
      cli,
      ...{ extra: client.extra, scenario: helloScenario(client), answers: [], opensAt: 100 },
      scope: "project",
    });
    expect(exitCode, account).toBe(0);
    expect(told[1], account).toContain("hello-from-adj");
  });
});

/** What Copilot says to a person who has not trusted the folder is nothing; `adj doctor` and docs/mcp.md say it. */
describe("copilot in a folder that nobody trusted", () => {
  const cli = findLabCli("copilot");
  if (cli === null) {
    test.skip(missingMessage("copilot"));
    return;
  }
  const client = clientOf("copilot");
  const callHello = (extra: readonly string[]) =>
    driveMcp({
      cli,
      ...{ extra, scenario: helloScenario(client), answers: [], opensAt: 100 },
      ...{ scope: "project", isTrusted: false },
    });

  test("does not offer the tools of the project's own file", async () => {
    const { told, account } = await callHello([]);
    expect(told[1], account).toContain("'adjutant-hello' does not exist");
  });

  test("offers them with `--trust-folder`", async () => {
    const { told, account } = await callHello(["--trust-folder"]);
    expect(told[1], account).toContain("hello-from-adj");
  });
});
