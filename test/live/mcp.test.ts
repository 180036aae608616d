// The six real CLIs with our MCP server: a tool that reads, one that a person refuses and then allows, one that takes longer
// than any of them is asked to wait.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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

describe.each(CLIENTS)("$agent", (client) => {
  const cli = findLabCli(client.agent);
  if (cli === null) {
    test.skip(missingMessage(client.agent));
    return;
  }
  test(
    "calls a tool, is refused one until a person says yes, and waits for a slow one",
    async () => {
      const { exitCode, told, workspace, account } = await driveMcp({
        cli,
        extra: client.extra,
        scenario: scenarioFor(client),
        answers: ["no", "yes"],
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
});
